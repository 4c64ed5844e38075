/** The contract's example: an object with most kinds of fields, a field on a built-in one, a pipeline and a role. */
export const example = {
  objects: [
    {
      name: 'projects',
      label: 'Projects',
      labelSingular: 'Project',
      iconName: 'folder',
      color: '#3b82f6',
      isHidden: false,
      displayField: 'name',
      fields: [
        {
          name: 'name',
          label: 'Name',
          type: 'TEXT',
          isRequired: true,
          isSearchable: true,
        },
        {
          name: 'code',
          label: 'Code',
          type: 'TEXT',
          isUnique: true,
        },
        {
          name: 'stage',
          label: 'Stage',
          type: 'SELECT',
          defaultValue: 'new',
          options: [
            {
              value: 'new',
              label: 'New',
              color: '#94a3b8',
            },
            {
              value: 'done',
              label: 'Done',
            },
          ],
        },
        {
          name: 'tags',
          label: 'Tags',
          type: 'MULTI_SELECT',
          options: [
            {
              value: 'a',
              label: 'A',
            },
          ],
        },
        {
          name: 'company_id',
          label: 'Company',
          type: 'RELATION',
          relationConfig: {
            relationType: 'BELONGS_TO_ONE',
            targetObjectName: 'companies',
          },
        },
        {
          name: 'contact_id',
          label: 'Contact',
          type: 'DEPENDENT_RELATION',
          dependsOn: 'company_id',
          relationConfig: {
            relationType: 'BELONGS_TO_ONE',
            targetObjectName: 'contacts',
          },
        },
        {
          name: 'members',
          label: 'Members',
          type: 'MANY_TO_MANY',
          relationConfig: {
            relationType: 'MANY_TO_MANY',
            targetObjectName: 'contacts',
          },
          junctionFields: [
            {
              name: 'role',
              label: 'Role',
              type: 'TEXT',
            },
          ],
        },
        {
          name: 'about',
          label: 'About',
          type: 'MORPH_RELATION',
          relationConfig: {
            relationType: 'MORPH_RELATION',
            targetObjectNames: ['contacts', 'companies'],
          },
        },
        {
          name: 'budget',
          label: 'Budget',
          type: 'CURRENCY',
        },
        {
          name: 'share',
          label: 'Share',
          type: 'PERCENT',
        },
        {
          name: 'weighted',
          label: 'Weighted',
          type: 'CALCULATED',
          calculation: {
            expression: 'budget * share / 100',
            outputType: 'DECIMAL',
          },
        },
        {
          name: 'phase',
          label: 'Phase',
          type: 'PIPELINE',
        },
      ],
    },
    {
      name: 'companies',
      fields: [
        {
          name: 'project_total',
          label: 'Project total',
          type: 'ROLLUP',
          rollup: {
            objectName: 'projects',
            relationField: 'company_id',
            function: 'SUM',
            field: 'budget',
          },
        },
      ],
    },
  ],
  pipelines: [
    {
      name: 'Delivery',
      objectName: 'projects',
      isDefault: true,
      steps: [
        {
          name: 'Scoping',
          kind: 'ongoing',
          questions: [
            {
              linked_field_name: 'budget',
              required_for_next_stage: true,
              required_for_closure: false,
            },
          ],
        },
        {
          name: 'Build',
          kind: 'ongoing',
          default_values: {
            share: 50,
          },
          questions: [
            {
              linked_field_name: 'share',
              required_for_next_stage: false,
              required_for_closure: true,
            },
          ],
        },
        {
          name: 'Won',
          kind: 'won',
          forced_values: {
            share: 100,
          },
          questions: [
            {
              linked_field_name: 'share',
              required_for_closure: true,
              is_forced_value: true,
            },
          ],
        },
        {
          name: 'Lost',
          kind: 'lost',
        },
      ],
    },
  ],
  roles: [
    {
      name: 'Rep',
      isAdmin: false,
      permissions: {
        '*': {
          view: 'all',
          create: true,
          update: 'own',
          delete: 'none',
        },
        projects: {
          view: 'own',
          create: true,
          update: 'own',
          delete: 'own',
          fields: {
            budget: 'read',
            share: 'none',
          },
        },
        companies: {
          view: {
            type: 'AND',
            conditions: [
              {
                field: 'industry',
                operator: 'equals',
                value: 'software',
              },
            ],
          },
          create: false,
          update: 'none',
          delete: 'none',
        },
      },
    },
  ],
} as const;
