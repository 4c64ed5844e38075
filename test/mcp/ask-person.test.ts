/** What goes out is sent when a person has said yes to it, where the agent's program can ask one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { account, email } from '../api/sending.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { connectAgent } from './agent.ts';

let kith: TestKith;
let organization: TestOrganization;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  const address = await emailOf(organization.admin);
  await ingest(kith, organization, [account(address, ['email']), messageLine(address, 'm-1')]);
});
afterAll(() => kith.stop());

const send = { name: 'crm_send_message', arguments: { action: 'send', ...email({ subject: 'Offer\u2028"x"' }) } };

it('asks with all that would go out, and sends it once after a yes', async () => {
  const asked: string[] = [];
  const person = (question: string) => (asked.push(question), 'accept' as const);
  const { client, close } = await connectAgent(kith.url, organization.admin.token, 'current', 'mailer', person);
  const sent = await client.callTool(send);
  expect(asked).toHaveLength(1);
  for (const part of ['channel: email', 'bob@globex.test', 'subject: Offer\u2028"x"', 'Dear'])
    expect(asked[0]).toContain(part);
  expect(sent.structuredContent).toMatchObject({ mode: 'sent', channel: 'email' });
  expect(JSON.stringify([sent.content, sent._meta])).not.toContain('hange set');
  expect(sent._meta?.['kith/change_set']).toBeUndefined();
  await close();
});

it('shows everybody whom it goes to, and says how much of a long body it does not show', async () => {
  const asked: string[] = [];
  const person = (question: string) => (asked.push(question), 'decline' as const);
  const { client, close } = await connectAgent(kith.url, organization.admin.token, 'current', 'mailer', person);
  const bcc = Array.from({ length: 90 }, (_, at) => `somebody.with.a.long.name.${at}@a-long-name.globex.test`);
  const args = { ...send.arguments, bcc, body: 'x'.repeat(21_234) };
  await client.callTool({ ...send, arguments: args });
  expect(asked[0]).toContain(bcc.join(', '));
  expect(asked[0]).toContain('x… (1,234 more characters are not shown)');
  await close();
});

it('tells a change set only where there is one to take back', async () => {
  const { client, close } = await connectAgent(kith.url, organization.admin.token, 'current');
  const called = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    expect([name, result.isError, result.isError && result.content]).toEqual([name, undefined, undefined]);
    return result;
  };
  const changeSetOf = async (name: string, args: Record<string, unknown>) =>
    (await called(name, args))._meta?.['kith/change_set'];
  const chart = {
    title: 'All',
    object_name: 'contacts',
    chart_type: 'indicator',
    metric_field: 'id',
    aggregation: 'COUNT',
  };
  const dashboard = { action: 'create', dashboard_name: 'Sales', ...chart };
  expect(await changeSetOf('crm_manage_dashboards', dashboard)).toBeUndefined();
  const file = { action: 'analyze', object_name: 'contacts', data: '[{"last_name":"Shown"}]' };
  const analyzed = await called('crm_import_records', file);
  expect(analyzed._meta?.['kith/change_set']).toBeUndefined();
  const { import_job_id } = analyzed.structuredContent as Record<string, unknown>;
  const shown = await called('crm_import_records', { action: 'preview', import_job_id });
  expect(shown.structuredContent).toMatchObject({ created: 1 });
  expect([shown._meta?.['kith/change_set'], JSON.stringify(shown.content).includes('Change set')]).toEqual([
    undefined,
    false,
  ]);
  expect(await changeSetOf('crm_import_records', { action: 'execute', import_job_id })).toEqual(expect.any(String));
  expect(await changeSetOf('crm_manage_notes', { action: 'create', content: 'Met Anna' })).toEqual(expect.any(String));
  await close();
});

it('sends nothing after a no', async () => {
  const { client, close } = await connectAgent(
    kith.url,
    organization.admin.token,
    'current',
    'mailer',
    () => 'decline',
  );
  const refused = await client.callTool({ ...send, arguments: { ...send.arguments, body: 'Another one' } });
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'CONFIRM_REQUIRED' } });
  await close();
});

it.each(['current', 'earlier'] as const)(
  'leaves the token to agents of the %s era that can ask nobody',
  async (era) => {
    const { client, close } = await connectAgent(kith.url, organization.admin.token, era);
    const args = { ...send.arguments, body: `By token, ${era}` };
    expect((await client.callTool({ ...send, arguments: args })).structuredContent).toMatchObject({
      code: 'CONFIRM_REQUIRED',
    });
    const shown = await client.callTool({ ...send, arguments: { ...args, action: 'preview' } });
    const { confirm_token } = shown.structuredContent as { confirm_token: string };
    const sent = await client.callTool({ ...send, arguments: { ...args, confirm_token } });
    expect(sent.structuredContent).toMatchObject({ mode: 'sent' });
    await close();
  },
);
