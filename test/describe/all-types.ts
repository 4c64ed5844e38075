/** A workspace with a field of every type, and records that fill them. */
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import type { Client, Reply } from '../support/kith.ts';

const options = [
  { value: 'new', label: 'New' },
  { value: 'done', label: 'Done' },
];
const belongsTo = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE', targetObjectName });

/** Whatever a type's declaration needs beside its name. */
const declarations: Partial<Record<(typeof fieldTypeNames)[number], object>> = {
  SELECT: { options },
  MULTI_SELECT: { options },
  RELATION: { relationConfig: belongsTo('companies') },
  DEPENDENT_RELATION: { dependsOn: 'f_relation', relationConfig: belongsTo('contacts') },
  MORPH_RELATION: {
    relationConfig: { relationType: 'MORPH_RELATION', targetObjectNames: ['contacts', 'companies'] },
  },
  MANY_TO_MANY: {
    relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    junctionFields: [
      { name: 'remark', label: 'Remark', type: 'TEXT' },
      { name: 'share', label: 'Share', type: 'PERCENT' },
    ],
  },
  CALCULATED: { calculation: { expression: 'f_number + f_percent', outputType: 'DECIMAL' } },
  ROLLUP: { rollup: { objectName: 'parts', relationField: 'thing_id', function: 'COUNT' } },
};

export const allTypes = {
  objects: [
    {
      name: 'things',
      label: 'Things',
      labelSingular: 'Thing',
      displayField: 'f_text',
      fields: [
        ...fieldTypeNames.map((type) => ({
          name: `f_${type.toLowerCase()}`,
          label: type,
          type,
          ...declarations[type],
        })),
        {
          name: 'parts',
          label: 'Parts',
          type: 'RELATION',
          relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'parts', inverseField: 'thing_id' },
        },
        { name: 'title', label: 'Title', type: 'TEXT', isRequired: true },
        { name: 'level', label: 'Level', type: 'SELECT', options, isRequired: true, defaultValue: 'new' },
      ],
    },
    {
      name: 'parts',
      label: 'Parts',
      labelSingular: 'Part',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT' },
        { name: 'thing_id', label: 'Thing', type: 'RELATION', relationConfig: belongsTo('things') },
      ],
    },
  ],
  pipelines: [
    {
      name: 'Life',
      objectName: 'things',
      isDefault: true,
      steps: [
        { name: 'Begun', kind: 'ongoing' },
        { name: 'Over', kind: 'won' },
      ],
    },
  ],
};

/** Applies it and gives the values of a record that has something in every field. */
export async function fillWorkspace(admin: Client): Promise<Record<string, unknown>> {
  must(await admin.post('/manifest', allTypes));
  const made = async (object: string, values: object): Promise<string> =>
    must(await admin.post(`/records/${object}`, values)).json.id;
  const company = await made('companies', { name: 'Acme' });
  const contact = await made('contacts', { first_name: 'Anna', company_id: company });
  return {
    title: 'First',
    f_text: 'text',
    f_long_text: 'a\nb',
    f_rich_text: '<p>rich</p>',
    f_number: 1.5,
    f_integer: 7,
    f_decimal: 0.25,
    f_percent: 50,
    f_currency: { amount: 1200.5, currency: 'EUR' },
    f_rating: 4,
    f_boolean: true,
    f_date: '2026-01-31',
    f_datetime: '2026-01-31T09:30:00Z',
    f_date_range: { start: '2026-01-01', end: '2026-02-01' },
    f_duration: 60,
    f_elapsed_time: 90,
    f_email: 'anna@acme.test',
    f_emails: [{ email: 'anna@acme.test', label: 'work', is_primary: true }],
    f_phones: ['+1 555 0100'],
    f_url: 'acme.test',
    f_address: { street: 'Main St 1', city: 'Springfield' },
    f_select: 'done',
    f_multi_select: ['new', 'done'],
    f_relation: company,
    f_dependent_relation: contact,
    f_morph_relation: { object: 'contacts', id: contact },
    f_many_to_many: [{ id: contact, remark: 'first', share: 10 }],
    f_users: admin.workspaceUserId,
  };
}

function must(reply: Reply): Reply {
  if (reply.status !== 200) throw new Error(reply.text);
  return reply;
}
