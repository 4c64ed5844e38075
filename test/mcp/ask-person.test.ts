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
