/**
 * Tasks and notes: built-in objects with operations of their own. Their table names are impossible for objects of a
 * manifest, so an organization can keep a custom object with the same name.
 */
import { createdBy, options, owner, type BuiltInField, type BuiltInObject } from './built-in-objects.ts';

/** Links to the records that it is about: one field per object, so that filters, history and purges cover them. */
const links: readonly BuiltInField[] = [
  linksTo('contacts', 'Contacts'),
  linksTo('companies', 'Companies'),
  linksTo('opportunities', 'Opportunities'),
];

/** The creator, who counts as owner in role rules; no write can set it. */
const author: BuiltInField = { ...owner, isReadonly: true };

export const tasks: BuiltInObject = {
  name: 'tasks',
  kind: 'managed',
  table: '_tasks',
  label: 'Tasks',
  labelSingular: 'Task',
  iconName: 'check-square',
  color: '#8b5cf6',
  displayField: 'title',
  ownFields: ['owner', 'created_by', 'assigned_to_id'],
  fields: [
    { name: 'title', label: 'Title', type: 'TEXT', isRequired: true, isSearchable: true },
    { name: 'due_date', label: 'Due', type: 'DATETIME' },
    { name: 'due_all_day', label: 'Due all day', type: 'BOOLEAN', isHidden: true, isReadonly: true },
    { name: 'priority', label: 'Priority', type: 'SELECT', options: options('low medium urgent') },
    {
      name: 'action_type',
      label: 'Action',
      type: 'SELECT',
      options: options('call email meeting linkedin_message:LinkedIn_message whatsapp_message:WhatsApp_message'),
    },
    { name: 'is_completed', label: 'Completed', type: 'BOOLEAN', defaultValue: false },
    { name: 'assigned_to_id', label: 'Assigned to', type: 'USERS' },
    { name: 'assigned_by_id', label: 'Assigned by', type: 'USERS', isHidden: true, isReadonly: true },
    { name: 'completed_at', label: 'Completed at', type: 'DATETIME', isReadonly: true },
    { name: 'completed_by', label: 'Completed by', type: 'USERS', isReadonly: true },
    ...links,
    author,
    createdBy,
  ],
};

export const notes: BuiltInObject = {
  name: 'notes',
  kind: 'managed',
  table: '_notes',
  label: 'Notes',
  labelSingular: 'Note',
  iconName: 'file-text',
  color: '#eab308',
  displayField: 'title',
  // [decisions: Writing] Private even from admins.
  condition: {
    type: 'OR',
    conditions: [
      { field: 'visibility', operator: 'equals', value: 'workspace' },
      { field: 'created_by', operator: 'equals', value: '$me' },
    ],
  },
  fields: [
    { name: 'title', label: 'Title', type: 'TEXT', isSearchable: true, isReadonly: true },
    { name: 'content', label: 'Content', type: 'RICH_TEXT', isRequired: true, isSearchable: true },
    {
      name: 'visibility',
      label: 'Visibility',
      type: 'SELECT',
      isRequired: true,
      defaultValue: 'private',
      options: options('workspace private'),
    },
    ...links,
    author,
    createdBy,
  ],
};

function linksTo(objectName: string, label: string): BuiltInField {
  const relationConfig = { relationType: 'MANY_TO_MANY', targetObjectName: objectName } as const;
  return { name: objectName, label, type: 'MANY_TO_MANY', relationConfig };
}
