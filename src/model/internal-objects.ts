/**
 * Conversations and meetings: objects written by the service itself, in tables created by migrations. A row exists
 * for the user whose account brought it in; `records/conversations` decides what others see.
 */
import { channels } from './channels.ts';
import { options, type BuiltInField, type BuiltInObject } from './built-in-objects.ts';

const ownerId: BuiltInField = { name: 'owner_id', label: 'Owner', type: 'USERS', isReadonly: true };
const channelLabels: Readonly<Record<(typeof channels)[number], string>> = {
  email: 'Email',
  meeting: 'Meeting',
  linkedin: 'LinkedIn',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
};
const channel: BuiltInField = {
  name: 'channel',
  label: 'Channel',
  type: 'SELECT',
  options: channels.map((value) => ({ value, label: channelLabels[value] })),
};

const ofItsOwner = {
  kind: 'internal',
  ownFields: ['owner_id'],
  condition: { type: 'AND', conditions: [{ field: 'owner_id', operator: 'equals', value: '$me' }] },
} as const;

export const threads: BuiltInObject = {
  ...ofItsOwner,
  name: 'threads',
  table: '_threads',
  label: 'Threads',
  labelSingular: 'Thread',
  iconName: 'messages-square',
  color: '#0ea5e9',
  displayField: 'subject',
  fields: [
    { name: 'subject', label: 'Subject', type: 'TEXT' },
    channel,
    { name: 'last_message_date', label: 'Last message', type: 'DATETIME' },
    { name: 'message_count', label: 'Messages', type: 'INTEGER' },
    { name: 'summary', label: 'Summary', type: 'TEXT' },
    {
      name: 'content_visibility',
      label: 'Content visibility',
      type: 'SELECT',
      options: options('full metadata_subject none'),
    },
    { name: 'managed_by_workspace_user_id', label: 'Managed by', type: 'USERS' },
    { name: 'external_thread_id', label: 'Id in the provider', type: 'TEXT' },
    ownerId,
  ],
};

export const interactions: BuiltInObject = {
  ...ofItsOwner,
  name: 'interactions',
  table: '_interactions',
  label: 'Interactions',
  labelSingular: 'Interaction',
  iconName: 'message-square',
  color: '#06b6d4',
  displayField: 'subject',
  fields: [
    { name: 'subject', label: 'Subject', type: 'TEXT' },
    channel,
    { name: 'direction', label: 'Direction', type: 'SELECT', options: options('inbound outbound') },
    { name: 'date', label: 'Date', type: 'DATETIME' },
    {
      name: 'interaction_thread_id',
      label: 'Thread',
      type: 'RELATION',
      relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'threads' },
    },
    ownerId,
  ],
};

export const events: BuiltInObject = {
  ...ofItsOwner,
  name: 'events',
  table: '_events',
  label: 'Events',
  labelSingular: 'Event',
  iconName: 'calendar',
  color: '#ec4899',
  displayField: 'title',
  fields: [
    { name: 'title', label: 'Title', type: 'TEXT' },
    { name: 'start_time', label: 'Start', type: 'DATETIME' },
    { name: 'end_time', label: 'End', type: 'DATETIME' },
    { name: 'all_day', label: 'All day', type: 'BOOLEAN' },
    { name: 'status', label: 'Status', type: 'SELECT', options: options('confirmed tentative cancelled') },
    { name: 'organizer', label: 'Organizer', type: 'TEXT' },
    { name: 'location', label: 'Location', type: 'TEXT' },
    { name: 'meeting_url', label: 'Meeting', type: 'URL' },
    ownerId,
  ],
};
