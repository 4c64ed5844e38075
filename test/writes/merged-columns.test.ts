/** A merge knows every column that can hold the id of a record: a new kind of link cannot be forgotten. [decisions: Writing] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldType } from '../../src/fields/registry.ts';
import { loadModel } from '../../src/model/load.ts';
import { hasRecords, type Model } from '../../src/model/model.ts';
import { systemTables } from '../../src/model/system-tables.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { linksFrom, linksTo, pointersTo } from '../../src/records/merging/pointers.ts';
import { apply } from '../api/records.ts';
import { allTypes } from '../describe/all-types.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

let kith: TestKith;
let organization: TestOrganization;
let model: Model;
/** `table.column` of every column in which there is room for an id. */
let columns: readonly string[];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  await apply(organization.admin, allTypes);
  model = await loadModel(kith.database.database, organization);
  const { rows } = await kith.database.database.run(
    'test',
    statement(sql`select table_name || '.' || column_name from information_schema.columns
      where table_schema = ${organization.schema} and udt_name in ('uuid', '_uuid', 'json', 'jsonb') order by 1`),
  );
  columns = rows.map(([name]) => name ?? '');
});
afterAll(() => kith.stop());

/** Columns of system tables that hold no id of a record which can be merged, and what they hold. */
const others: Readonly<Record<string, string>> = {
  '_addresses.owner_id': 'a user',
  '_audit.actor_id': 'a user',
  '_audit.id': 'itself',
  '_audit.token_id': 'a token',
  '_dashboards.charts': 'filters, as whoever made the chart has them',
  '_dashboards.id': 'itself',
  '_dashboards.owner_id': 'a user',
  '_event_attendees.event_id': 'an event',
  '_events.attendees': 'addresses',
  '_events.integration_id': 'an account',
  '_events.thread_id': 'a thread',
  '_fields.definition': 'metadata: no default is a record',
  '_fields.id': 'itself',
  '_fields.object_id': 'an object',
  '_history.actor_id': 'a user',
  '_history.before': 'what was, which stays true',
  '_history.change_set': 'a change set',
  '_history.links': 'what was, which stays true',
  '_history.object_id': 'an object',
  '_history.token_id': 'a token',
  '_idempotency.role_id': 'a role',
  '_idempotency.workspace_user_id': 'a user',
  '_import_jobs.change_set': 'a change set',
  '_import_jobs.id': 'itself',
  '_import_jobs.job_id': 'a job',
  '_import_jobs.object_id': 'an object',
  '_import_jobs.workspace_user_id': 'a user',
  '_import_parts.import_id': 'an import',
  '_account_failures.integration_id': 'an account',
  '_integrations.id': 'itself',
  '_integrations.workspace_user_id': 'a user',
  '_interaction_contents.interaction_id': 'an interaction',
  '_interactions.integration_id': 'an account',
  '_jobs.holder': 'a worker',
  '_jobs.id': 'itself',
  '_jobs.payload': 'what a job is about: objects',
  '_jobs.progress': 'how far a job is',
  '_jobs.token_id': 'a token',
  '_jobs.workspace_user_id': 'a user',
  '_list_entries.created_by': 'a user',
  '_list_entries.entry_fields': 'values; no field of a list leads to a record',
  '_list_entries.id': 'itself',
  '_list_entries.list_id': 'a list',
  '_list_entries.object_id': 'an object',
  '_lists.created_by': 'a user',
  '_lists.fields': 'metadata',
  '_lists.id': 'itself',
  '_mail_folders.integration_id': 'an account',
  '_merges.change_set': 'a change set',
  '_merges.counts': 'numbers by fields',
  '_merges.moved': 'what moved, as it was',
  '_merges.object_id': 'an object',
  '_notifications.actor_id': 'a user',
  '_notifications.id': 'itself',
  '_notifications.object_id': 'an object',
  '_notifications.user_id': 'a user',
  '_objects.definition': 'metadata',
  '_objects.id': 'itself',
  '_organization.id': 'itself',
  '_participants.interaction_id': 'an interaction',
  '_participants.owner_id': 'a user',
  '_participants.thread_id': 'a thread',
  '_pipeline_step_history.actor_id': 'a user',
  '_pipeline_step_history.change_set': 'a change set',
  '_pipeline_step_history.id': 'itself',
  '_pipeline_step_history.object_id': 'an object',
  '_pipeline_step_history.pipeline_id': 'a pipeline',
  '_pipeline_step_history.step_id': 'a step',
  '_pipeline_steps.definition': 'metadata: what a step sets, by whoever wrote the manifest',
  '_pipeline_steps.id': 'itself',
  '_pipeline_steps.pipeline_id': 'a pipeline',
  '_pipelines.id': 'itself',
  '_pipelines.object_id': 'an object',
  '_roles.id': 'itself',
  '_roles.permissions': 'rules, as whoever wrote the manifest has them',
  '_sandbox.id': 'itself',
  '_sandbox.integration_id': 'an account',
  '_sends.id': 'itself',
  '_sends.thread_id': 'a thread',
  '_sends.workspace_user_id': 'a user',
  '_state.object_id': 'an object',
  '_calendars.integration_id': 'an account',
  '_calendar_entries.integration_id': 'an account',
  '_calendar_entries.owner_id': 'a user',
  '_thread_references.owner_id': 'a user',
  '_thread_references.thread_id': 'a thread',
  '_tokens.app': 'which app',
  '_tokens.id': 'itself',
  '_tokens.workspace_user_id': 'a user',
  '_transcript_segments.transcript_id': 'a transcript',
  '_transcripts.id': 'itself',
  '_transcripts.thread_id': 'a thread',
  '_transcripts.workspace_user_id': 'a user',
  '_unique_values.field_id': 'a field',
  '_unique_values.object_id': 'an object',
  '_unsettled.object_id': 'an object',
  '_uses.object_id': 'an object',
  '_users.id': 'itself',
  '_users.role_id': 'a role',
  '_users.user_id': 'a person',
  '_views.id': 'itself',
  '_views.object_id': 'an object',
  '_views.owner_id': 'a user',
  '_webhook_deliveries.id': 'itself',
  '_webhook_deliveries.object_id': 'an object',
  '_webhook_deliveries.webhook_id': 'a webhook',
  '_webhooks.creator_id': 'a user',
  '_webhooks.id': 'itself',
  '_webhooks.object_ids': 'objects',
  '_webhooks.token_id': 'a token',
};

/** Types whose columns have room for an id, and hold none of a record. */
const valueTypes = new Set(['ID', 'USERS', 'PIPELINE_ID', 'PIPELINE_STEP_ID', 'EMAILS', 'PHONES', 'ADDRESS']);

function knownToMerges(): Set<string> {
  const known = new Set(Object.keys(others));
  for (const { name, records = {} } of systemTables)
    for (const column of Object.keys(records)) known.add(`${name}.${column}`);
  const objects = [...model.objects.values()];
  for (const object of objects) {
    for (const { source, column } of pointersTo(model, object)) known.add(`${source.table}.${column}`);
    for (const { linkTable } of linksTo(model, object)) known.add(`${linkTable}.target_id`);
    for (const { linkTable } of linksFrom(object)) known.add(`${linkTable}.source_id`);
    known.add(`${object.table}.search_parts`); // texts
    for (const field of object.attributes.values())
      if (valueTypes.has(field.type))
        for (const { name } of fieldType(field.type).columns(field)) known.add(`${object.table}.${name}`);
  }
  return known;
}

it('knows every column that has room for an id', () => {
  const known = knownToMerges();
  expect(columns.length).toBeGreaterThan(100);
  expect(columns.filter((column) => !known.has(column))).toEqual([]);
});

it('has no column in its lists that there is not', () => {
  expect(Object.keys(others).filter((column) => !columns.includes(column))).toEqual([]);
});

it('finds all kinds of relations of an object whose records can be merged', () => {
  const contacts = model.objects.get('contacts')!;
  expect(hasRecords(contacts)).toBe(true);
  const pointers = pointersTo(model, contacts).map(({ source, column }) => `${source.name}.${column}`);
  expect(pointers).toEqual(['things.f_dependent_relation', 'things.f_morph_relation']);
  const links = linksTo(model, contacts).map(({ source, field }) => `${source.name}.${field.name}`);
  expect(links).toEqual(['opportunities.contacts', 'tasks.contacts', 'notes.contacts', 'things.f_many_to_many']);
});
