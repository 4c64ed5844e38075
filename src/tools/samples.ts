/** Sample values for example calls. */
import type { Json, JsonObject } from '../lib/json.ts';
import type { Argument, ArgumentValues } from './arguments.ts';

const samples: Readonly<Record<string, Json>> = {
  object_name: 'contacts',
  object_type: 'contacts',
  object_types: ['contacts'],
  expected_count: 1,
  query: 'anna',
  title: 'Call Anna',
  name: 'Guests',
  content: 'Met Anna',
  dashboard_name: 'Sales',
  field: 'id',
  function: 'COUNT',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  due_date: '2026-01-31',
  chart_type: 'indicator',
  to: ['anna@globex.test'],
  subject: 'Offer',
  body: 'Hello Anna',
  data: '[{"first_name":"Anna","last_name":"Berg"}]',
  filter_field: 'created_at',
  linked_entities: [{ type: 'contacts', id: '<record_id>' }],
  filters: { type: 'AND', conditions: [{ field: 'created_at', operator: 'is_not_null' }] },
  sort: [{ field: 'created_at', direction: 'desc' }],
};

/** A writable field of each object, with a value. */
const written: Readonly<Record<string, readonly [string, Json]>> = {
  contacts: ['job_title', 'CEO'],
  companies: ['name', 'Globex'],
  opportunities: ['name', 'Pumps for Globex'],
};
const unknownField = ['<field>', '<value>'] as const;

/** The tool that supplies ids, by argument or field. */
const sources: Readonly<Record<string, string>> = {
  record_id: 'crm_find_records',
  record_ids: 'crm_find_records',
  linked_entity_id: 'crm_find_records',
  entity_id: 'crm_find_records',
  contact_id: 'crm_find_records',
  target_ids: 'crm_find_records',
  master_id: 'crm_duplicates detect',
  duplicate_ids: 'crm_duplicates detect',
  pipeline_step_id: 'crm_get_schema pipelines',
  pipeline_id: 'crm_get_schema pipelines',
  assigned_to: 'crm_get_schema users',
  assigned_to_id: 'crm_get_schema users',
  user_id: 'crm_get_schema users',
  owner: 'crm_get_schema users',
  task_id: 'crm_manage_tasks list',
  note_id: 'crm_manage_notes list',
  thread_id: 'crm_inbox list_threads',
  interaction_id: 'crm_inbox get_thread',
  confirm_token: 'crm_send_message preview',
  list_id: 'crm_manage_lists list',
  dashboard_id: 'crm_manage_dashboards list',
  import_job_id: 'crm_import_records analyze',
  job_id: 'crm_bulk',
  change_set: 'crm_undo list',
};

/** The tools, with action, that supply ids for the argument; none if no lookup is needed. */
export function sourcesOf(name: string): readonly string[] {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  return source === undefined ? [] : [source];
}

/** A sample for the argument; undefined if no fixed value fits. `given` are the other arguments. */
export function sampleOf(name: string, argument: Argument, given: ArgumentValues): Json | undefined {
  const { enum: names, default: usual, items } = argument;
  const [field, value] = written[String(given.object_name ?? 'contacts')] ?? unknownField;
  if (name === 'field_name') return field;
  if (name === 'field_value') return value;
  if (name === 'values') return { [field]: value } satisfies JsonObject;
  if (name === 'records') return [{ [field]: value }];
  if (name === 'start_date' || name === 'end_date') return daySample(name, given);
  const sample = (Object.hasOwn(samples, name) ? samples[name] : undefined) ?? usual ?? names?.[0];
  if (sample !== undefined) return sample;
  return Array.isArray(items?.['enum']) ? items['enum'].slice(0, 1) : undefined;
}

const dayMillis = 86_400_000;

/** A day that fits the other end of the period, if given. */
function daySample(
  name: 'start_date' | 'end_date',
  { start_date: start = null, end_date: end = null }: ArgumentValues,
): Json {
  const usual = name === 'start_date' ? '2026-01-01' : '2026-01-31';
  const other = Date.parse(String(name === 'start_date' ? end : start));
  const fits = name === 'start_date' ? Date.parse(usual) < other : Date.parse(usual) > other;
  if (Number.isNaN(other) || fits) return usual;
  const day = new Date(other + (name === 'start_date' ? -30 : 30) * dayMillis);
  return Number.isNaN(day.getTime()) ? usual : day.toISOString().slice(0, 10);
}

/** A placeholder for a value that depends on the workspace. */
export function placeOf(name: string, { type }: Argument): Json {
  const place = `<${name.replace(/s$/, '')}>`;
  if (type === 'array') return [place];
  if (type === 'integer') return 1;
  return type === 'object' ? {} : place;
}
