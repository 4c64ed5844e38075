/** [spec: crm_send_message, crm_mark_email, crm_manage_dashboards] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { uuid } from '../api/records.ts';
import { account, email } from '../api/sending.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let ada: Agent;
let ben: Agent;
let cara: Agent;
let adaEmail: string;
const threads: Record<string, string> = {};

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  const agentOf = agents(kith);
  const { admin } = organization;
  const [member, other] = [await organization.user('Member'), await organization.user('Member')];
  [ada, ben, cara] = [agentOf(admin), agentOf(member), agentOf(other)];
  adaEmail = await emailOf(admin);
  const [benEmail, caraEmail] = [await emailOf(member), await emailOf(other)];
  await ingest(kith, organization, [
    account(adaEmail, ['email', 'linkedin', 'whatsapp']),
    account(benEmail, ['email']),
    account(benEmail, ['email'], { account_email: 'sales@kith.test' }),
    account(caraEmail, ['email'], { send_enabled: false }),
    messageLine(adaEmail, 'm-1'),
    messageLine(adaEmail, 'l-1', { channel: 'linkedin', external_thread_id: 'l-1', from: 'bob', to: [] }),
    messageLine(adaEmail, 'w-1', { channel: 'whatsapp', external_thread_id: 'w-1', from: '+1 555 0100', to: [] }),
    messageLine(benEmail, 'm-9', { external_thread_id: 't-9' }),
  ]);
  for (const client of [admin, member])
    for (const { external_thread_id: key, id } of (await client.get('/inbox/threads')).json.data) threads[key] = id;
});
afterAll(() => kith.stop());

describe('crm_send_message', () => {
  const preview = (agent: Agent, message: object) => agent.call('crm_send_message', { action: 'preview', ...message });
  const send = (agent: Agent, message: object) => agent.call('crm_send_message', { action: 'send', ...message });

  it('CSM-01 to 10, CSM-16, CSM-17: previews a message, and sends exactly that', async () => {
    const message = email({ thread_id: threads['t-1'], cc: 'Eve <eve@globex.test>', bcc: ['fay@globex.test'] });
    const shown = (await preview(ada, message)).json;
    expect(shown).toEqual({
      mode: 'preview',
      confirm_required: true,
      confirm_token: expect.any(String),
      message: {
        channel: 'email',
        from: adaEmail,
        to: ['Bob <bob@globex.test>'],
        cc: ['Eve <eve@globex.test>'],
        bcc: ['fay@globex.test'],
        subject: expect.stringContaining('Offer'),
        body: '<p>Dear <b>Bob</b></p>',
        reply_to_thread: threads['t-1'],
      },
      note: expect.any(String),
    });
    const { confirm_token } = shown;
    expect((await send(ada, message)).code).toBe('CONFIRM_REQUIRED');
    expect((await send(ada, { ...message, confirm_token: 'x' })).code).toBe('CONFIRM_INVALID');
    expect((await send(ada, { ...message, body: 'Other', confirm_token })).code).toBe('CONFIRM_MISMATCH');
    const sent = (await send(ada, { ...message, confirm_token })).json;
    expect(sent).toMatchObject({
      mode: 'sent',
      channel: 'email',
      message_id: expect.any(String),
      message: shown.message,
    });
    const again = (await send(ada, { ...message, confirm_token })).json;
    expect([again.mode, again.message_id]).toEqual(['duplicate_suppressed', sent.message_id]);
  });

  it('CSM-11 to 15, CSM-18: asks of each channel what it needs, and of the caller that it is theirs', async () => {
    expect((await preview(cara, email())).code).toBe('SEND_NOT_ENABLED');
    const several = await preview(ben, email());
    expect([several.code, several.json.available_values]).toEqual([
      'AMBIGUOUS_SENDER',
      expect.arrayContaining(['sales@kith.test']),
    ]);
    expect((await preview(ben, email({ from_account_email: 'sales@kith.test' }))).code).toBe('ok');
    expect((await preview(ada, email({ thread_id: threads['t-9'] }))).code).toBe('PERMISSION_DENIED');
    expect((await preview(ada, email({ channel: 'fax' }))).code).toBe('INVALID_CHANNEL');
    for (const name of ['to', 'subject', 'body', 'channel']) {
      const { code, json } = await preview(ada, email({ [name]: undefined }));
      expect([code, json.message]).toEqual(['MISSING_REQUIRED_FIELD', expect.stringContaining(name)]);
    }
    expect((await preview(ada, { channel: 'linkedin', body: 'Hi' })).code).toBe('MISSING_REQUIRED_FIELD');
    expect((await preview(ada, { channel: 'linkedin', body: 'Hi', thread_id: threads['l-1'] })).code).toBe('ok');
    expect((await preview(ada, { channel: 'whatsapp', body: 'Hi' })).code).toBe('MISSING_REQUIRED_FIELD');
    for (const to of [{ thread_id: threads['w-1'] }, { chat_id: 'w-1' }]) {
      const message = { channel: 'whatsapp', body: 'Hi', ...to };
      const { confirm_token } = (await preview(ada, message)).json;
      expect((await send(ada, { ...message, confirm_token })).json.mode).toMatch(/^(sent|duplicate_suppressed)$/);
    }
  });
});

it('CME-01 to 10: crm_mark_email marks own email threads, each action with its inverse', async () => {
  const thread_id = threads['t-1'];
  for (const action of ['read', 'unread', 'favorite', 'unfavorite']) {
    const expected = { thread_id, action, channel: 'email', applied: true };
    expect(await ada.ask('crm_mark_email', { action, thread_id })).toEqual(expected);
  }
  const code = async (agent: Agent, args: object) =>
    (await agent.call('crm_mark_email', { action: 'read', ...args })).code;
  expect(await code(ada, { thread_id: threads['l-1'] })).toBe('INVALID_CHANNEL');
  expect(await code(ben, { thread_id })).toBe('PERMISSION_DENIED');
  expect(await code(ada, {})).toBe('MISSING_REQUIRED_FIELD');
  expect(await code(ada, { thread_id, action: 'burn' })).toBe('VALIDATION_ERROR');
  expect(await code(ada, { thread_id, action: null })).toBe('MISSING_REQUIRED_FIELD');
});

describe('crm_manage_dashboards', () => {
  const dashboards = (agent: Agent, args: object) => agent.call('crm_manage_dashboards', { ...args });

  it('CMD-01 to 05: makes a dashboard with a chart, adds another, computes and deletes it', async () => {
    await ada.ask('crm_save_record', {
      action: 'create',
      object_name: 'companies',
      values: { name: 'Globex', employees: 7 },
    });
    const chart = {
      title: 'People',
      object_name: 'companies',
      chart_type: 'indicator',
      metric_field: 'employees',
      aggregation: 'SUM',
    };
    const made = (await dashboards(ben, { action: 'create', dashboard_name: 'Size', ...chart })).json;
    expect(made).toMatchObject({
      id: expect.stringMatching(uuid),
      name: 'Size',
      charts: [{ title: 'People', date_field: 'created_at' }],
    });
    const dashboard_id = made.id;
    const grouped = { title: 'By name', object_name: 'companies', chart_type: 'bar', group_by: 'name' };
    const filters = '{"type":"AND","conditions":[{"field":"employees","operator":"greater_than","value":1}]}';
    const compared = { comparison: 'true', comparison_period: 'previous_quarter', filters };
    const added = await dashboards(ben, { action: 'add_chart', dashboard_id, ...grouped, ...compared });
    expect(added.json.charts[1]).toMatchObject({
      chart_type: 'bar',
      comparison: true,
      comparison_period: 'previous_quarter',
    });
    expect((await dashboards(ada, { action: 'list' })).json).toMatchObject({ total: 1, data: [{ id: dashboard_id }] });
    const { charts } = (await dashboards(ada, { action: 'data', dashboard_id })).json;
    expect(charts).toMatchObject([{ value: 7 }, { results: [{ group: 'Globex', value: 1 }] }]);
    expect((await dashboards(ben, { action: 'add_chart', dashboard_id, ...chart, group_by: 'name' })).code).toBe(
      'VALIDATION_ERROR',
    );
    expect((await dashboards(ben, { action: 'add_chart', dashboard_id, ...grouped, group_by: '' })).code).toMatch(
      /MISSING|VALIDATION/,
    );
    expect((await dashboards(ben, { action: 'add_chart', dashboard_id, title: 'x' })).code).toBe(
      'MISSING_REQUIRED_FIELD',
    );
    expect((await dashboards(ben, { action: 'create' })).json.message).toContain('dashboard_name');
    expect((await dashboards(cara, { action: 'delete', dashboard_id })).code).toBe('PERMISSION_DENIED');
    expect((await dashboards(ben, { action: 'delete', dashboard_id })).json).toEqual({ deleted: true });
    const bare = (await dashboards(ben, { action: 'create', dashboard_name: 'Bare' })).json;
    expect(bare.charts).toEqual([]);
    expect((await dashboards(ada, { action: 'delete', dashboard_id: bare.id })).json).toEqual({ deleted: true });
  });
});
