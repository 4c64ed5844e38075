/**
 * Every table of an organization that is not made from metadata, and how it is treated. A move copies all of them; a
 * test fails for a table missing here.
 */

/**
 * What a merge does with a duplicate's rows: they move to the master; the master gets copies; they stay with the
 * duplicate; or they are removed until an undo.
 */
export type AtMerge = 'moved' | 'copied' | 'kept' | 'freed';

export interface SystemTable {
  readonly name: string;
  /** Description of the contents. */
  readonly holds: string;
  /** Why a backup omits its rows; undefined where it includes them. */
  readonly leftOut?: string;
  /** For rows about a record (by `record_id`): what a purge of the record does. */
  readonly atPurge?: 'deleted' | 'emptied';
  /** The columns that are set to null where the row stays. */
  readonly emptied?: readonly string[];
  /** Every column with record ids, and what a merge does; moved rows have an `id`. */
  readonly records?: Readonly<Record<string, AtMerge>>;
  /** Has foreign keys: such tables are filled in the order of this list. */
  readonly isLinked?: true;
}

export const systemTables: readonly SystemTable[] = [
  { name: '_organization', holds: 'settings, in one row', leftOut: 'its heading has them', isLinked: true },
  { name: '_roles', holds: 'roles and their permissions', isLinked: true },
  { name: '_users', holds: 'people of the organization', isLinked: true },
  {
    name: '_tokens',
    holds: 'service tokens, without their secrets',
    leftOut: 'they must not come back',
    isLinked: true,
  },
  { name: '_objects', holds: 'objects of the metadata', isLinked: true },
  { name: '_fields', holds: 'fields of the metadata', isLinked: true },
  { name: '_pipelines', holds: 'pipelines', isLinked: true },
  { name: '_pipeline_steps', holds: 'steps of pipelines', isLinked: true },
  { name: '_lists', holds: 'lists of records', isLinked: true },
  {
    name: '_list_entries',
    holds: 'which record is on which list',
    atPurge: 'deleted',
    records: { record_id: 'copied' },
    isLinked: true,
  },
  { name: '_dashboards', holds: 'dashboards and their charts' },
  { name: '_views', holds: 'what tables and boards show: views of persons, and shared ones' },
  { name: '_integrations', holds: 'connected accounts of users', isLinked: true },
  { name: '_mail_folders', holds: 'how far mailboxes are synchronised' },
  { name: '_account_failures', holds: 'messages of accounts that could not be taken' },
  { name: '_calendars', holds: 'how far calendars are synchronised' },
  { name: '_calendar_entries', holds: 'what calendars and mails say of meetings, sealed' },
  { name: '_thread_references', holds: 'which messages threads of mail speak of' },
  {
    name: '_history',
    holds: 'what every write changed',
    atPurge: 'emptied',
    emptied: ['before', 'links'],
    records: { record_id: 'kept' },
  },
  {
    name: '_pipeline_step_history',
    holds: 'steps that records have left',
    atPurge: 'deleted',
    records: { record_id: 'kept' },
  },
  {
    name: '_merges',
    holds: 'which record a duplicate was merged into, and what moved',
    atPurge: 'emptied',
    emptied: ['moved'],
    records: { record_id: 'kept', master_id: 'kept' },
  },
  { name: '_interaction_contents', holds: 'what messages say, sealed' },
  { name: '_participants', holds: 'addresses that messages went to and came from' },
  { name: '_addresses', holds: 'how many messages an address takes part in' },
  { name: '_event_attendees', holds: 'addresses of those invited' },
  {
    name: '_sends',
    holds: 'messages that were sent in the last day: which confirmations are used up, and what would be a repetition',
  },
  { name: '_sandbox', holds: 'what was sent and marked in accounts of the provider sandbox, sealed' },
  { name: '_transcripts', holds: 'meetings that are being recorded, or were in the last week' },
  { name: '_transcript_segments', holds: 'what was said in meetings that are being recorded, sealed' },
  { name: '_notifications', holds: 'what users are told of', atPurge: 'deleted', records: { record_id: 'moved' } },
  {
    name: '_unique_values',
    holds: 'values of unique fields that are sets',
    atPurge: 'deleted',
    records: { record_id: 'freed' },
  },
  { name: '_state', holds: 'numbers of records and versions of objects' },
  { name: '_idempotency', holds: 'answers kept for repeated requests', leftOut: 'they are of tokens that are gone' },
  { name: '_uses', holds: 'how often fields are sorted and filtered by', leftOut: 'another place is used otherwise' },
  { name: '_import_jobs', holds: 'files to be imported: how their columns are mapped, and what came of them' },
  { name: '_import_parts', holds: 'the rows of such files, for a day' },
  { name: '_jobs', holds: 'work that was asked for, and how far it is' },
  { name: '_webhooks', holds: 'who is sent what happens, and how far it was told; secrets are sealed' },
  {
    name: '_webhook_deliveries',
    holds: 'what was sent to webhooks or is to be sent, without values',
    atPurge: 'deleted',
    records: { record_id: 'kept' },
  },
  { name: '_audit', holds: 'who did what that matters, as a chain of signed entries' },
  { name: '_audit_head', holds: 'the end of that chain' },
  { name: '_unsettled', holds: 'pending reindexes: objects whose search texts are not complete' },
];
