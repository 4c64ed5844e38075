/** Every operation is the same by REST and by its tool: what it answers, and how it refuses, whoever asks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { tools } from '../../src/tools/tools.ts';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { apply } from '../api/records.ts';
import { account } from '../api/sending.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';
import { ofRecords } from './pairs-of-records.ts';
import { ofWork } from './pairs-of-work.ts';

/** Operations of the interface that no tool performs, and why. */
const withoutTool: Readonly<Record<string, string>> = {
  'openapi.get': 'It describes the REST interface; tools are described by their own list.',
  'workspace.get': 'It is for pages that draw a workspace; crm_get_schema tells what an agent needs of it.',
  'workspace.update': 'What the organization is called and counts in is for its admins to say.',
  'roles.list': 'Names of roles are asked for where people are invited; what the caller may do, crm_get_schema tells.',
  'accounts.list': 'To connect accounts is for the people whose they are; crm_get_schema tells their state.',
  'account.add': 'It takes passwords, which no agent is to see.',
  'account.sync': 'The service looks by itself; to wait for it is for people.',
  'account.remove': 'To disconnect what others write to is for people.',
  'limits.list': 'What is left stands in the headers of every answer; a tool that is denied says when to try again.',
  'manifest.pull': 'To change the workspace itself is for its admins at the command line.',
  'manifest.apply': 'To change the workspace itself is for its admins at the command line.',
  'inbox.mark': 'It is never supported; crm_mark_email marks in the mailbox.',
  'records.import': 'crm_import_records has a review of its own; rows at hand go through crm_bulk.',
  'records.upsert': 'crm_bulk upserts one record as well as many.',
  'notifications.list': 'Notifications are for people: an agent is told by what it asks.',
  'notifications.stream': 'Notifications are for people: an agent is told by what it asks.',
  'notifications.mark': 'Notifications are for people: an agent does not read them in their place.',
  'notifications.markAll': 'Notifications are for people: an agent does not read them in their place.',
  'imports.failedRows': 'It is a file; crm_import_records tells why rows failed.',
  'listEntry.update': 'A list takes entry_fields when a record is added; changing them is for people.',
  'events.list': 'It is for programs that follow along; crm_undo tells what was done.',
  'events.stream': 'It is for programs that follow along; crm_undo tells what was done.',
  'trash.purge': 'What nothing brings back is not for agents.',
  'audit.list': 'What agents did stands in it, too: it is for people who answer for them.',
  'jobs.list':
    'It is for pages that people come back to; crm_bulk and crm_import_records name the jobs that they ask for.',
  'access.explain': 'It is for admins who wonder about a role; what the caller may do, crm_get_schema tells.',
  'changeSet.get': 'crm_undo lists change sets, each in full.',
  'changeSets.writes': 'An agent wrote them itself, and crm_undo tells by a trial what it would put back.',
  'dashboard.get': 'crm_manage_dashboards lists dashboards, each in full.',
  'views.list': 'A view is how a person looks at records; an agent asks with the filter and sort themselves.',
  'view.get': 'A view is how a person looks at records; an agent asks with the filter and sort themselves.',
  'view.create': 'What people see when they open a page is for people to say.',
  'view.update': 'What people see when they open a page is for people to say.',
  'view.delete': 'What people see when they open a page is for people to say.',
  'chart.delete': 'A chart is taken off by people; an agent adds, and deletes a whole dashboard.',
};

/** Agents come with a token, and with it nobody gets these. */
const ofPeople = new Set(routes.flatMap(({ operation }) => ('personOnly' in operation ? [operation.id] : [])));

/** To connect programs is for the admins of a workspace. */
const ofWebhooks = (id: string) => id.startsWith('webhook.') || id === 'webhooks.list';

const performed = new Set(tools.flatMap(({ actions }) => [...actions.values()].map(({ operation }) => operation.id)));

it('gives every operation of the interface a tool, or says why it has none', () => {
  const ids = new Set(routes.map(({ operation }) => operation.id));
  const missing = [...ids].filter(
    (id) => !performed.has(id) && withoutTool[id] === undefined && !ofPeople.has(id) && !ofWebhooks(id),
  );
  const needless = Object.keys(withoutTool).filter((id) => performed.has(id) || !ids.has(id));
  expect({ missing, needless }).toEqual({ missing: [], needless: [] });
});

const pairs = [...ofRecords, ...ofWork];

it('tries every operation that a tool performs', () => {
  expect(new Set(pairs.map(({ id }) => id))).toEqual(performed);
});

describe('every operation', () => {
  let kith: TestKith;
  const people: Record<string, { readonly client: Client; readonly agent: Agent }> = {};
  const ids: Record<string, string> = { gone: '0190f6c1-0000-7000-8000-000000000000' };

  beforeAll(async () => {
    kith = await startKith();
    const organization = await kith.organization();
    const agentOf = agents(kith);
    const { admin } = organization;
    await apply(admin, {
      roles: [
        {
          name: 'Restricted',
          permissions: {
            '*': { view: 'none', create: false, update: 'none', delete: 'none' },
            contacts: { view: 'all', update: 'own', fields: { job_title: 'read', last_name: 'none' } },
          },
        },
      ],
    });
    const clients = { Admin: admin };
    for (const role of ['Member', 'Viewer', 'Restricted'])
      Object.assign(clients, { [role]: await organization.user(role) });
    for (const [role, client] of Object.entries(clients)) people[role] = { client, agent: agentOf(client) };
    const user = await emailOf(admin);
    await ingest(kith, organization, [
      account(user, ['email']),
      messageLine(user, 'm-1', { from: 'anna@x.test' }),
      { kind: 'event', user, external_id: 'e-1', title: 'Demo', start_time: '2026-05-02T13:00:00Z', attendees: [] },
    ]);
    const made = async (path: string, body: object) => (await admin.post(path, body)).json;
    const contact = (values: object) => made('/records/contacts', { last_name: 'Berg', ...values });
    ids.anna = (await contact({ first_name: 'Anna', emails: 'anna@x.test' })).id;
    ids.deal = (await made('/records/opportunities', { name: 'Deal' })).id;
    ids.task = (await made('/tasks', { title: 'Do', priority: 'urgent' })).task_id;
    ids.note = (await made('/notes', { content: 'Hello', data: { visibility: 'workspace' } })).note_id;
    ids.list = (await made('/lists', { name: 'All', object_types: ['contacts'] })).id;
    ids.dashboard = (await made('/dashboards', { name: 'D' })).id;
    ids.thread = (await admin.get('/inbox/threads')).json.data[0].id;
    ids.message = (await admin.get(`/inbox/threads/${ids.thread}`)).json.messages[0].id;
    // One for each way, so that both ways find it as it was.
    [ids.hers, ids.his] = [(await contact({ first_name: 'Twin' })).id, (await contact({ first_name: 'Twin' })).id];
  });
  afterAll(() => kith.stop());

  /** Without what is another each time: ids, times and how long something is, tokens. */
  const plain = (json: unknown): unknown =>
    JSON.parse(
      JSON.stringify(json ?? null)
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/"(confirm_token|nextCursor)":"[^"]*"/g, '"$1":"TOKEN"')
        .replace(/"seconds":\d+/g, '"seconds":0'),
    );
  const refusal = ({ code, available_values, field_errors }: Record<string, unknown>) => ({
    code,
    available_values,
    fields: (field_errors as { field: string }[] | undefined)?.map(({ field }) => field),
  });

  it.each(pairs.map((one) => [one.id, one] as const))('%s', async (_id, { rest, tool, twice }) => {
    for (const [role, { client, agent }] of Object.entries(people)) {
      const byTool = await tool(agent, ids);
      const byRest = await rest(client, ids);
      const isRefused = byRest.status >= 400;
      if (isRefused) expect([role, refusal(byTool.json)]).toEqual([role, refusal(byRest.json)]);
      else if (twice === false)
        expect([role, byTool.code, Object.keys(byTool.json)]).toEqual([role, 'ok', Object.keys(byRest.json)]);
      else expect([role, byTool.code, plain(byTool.json)]).toEqual([role, 'ok', plain(byRest.json)]);
    }
  });
});
