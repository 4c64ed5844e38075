/** The demo's past over HTTP: what history, earlier states and steps say of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken } from '../../src/provision/tokens.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { demoCounts } from './demo-counts.ts';

const dayMs = 86_400_000;
let kith: TestKith;
let admin: Client;
let midnight: number;

beforeAll(async () => {
  kith = await startKith({ KITH_DEMO: 'on' });
  midnight = Math.floor(Date.now() / dayMs) * dayMs;
  const [organization] = await kith.deps.directory.organizations();
  const { token } = await createToken(kith.deps, organization?.id ?? '', { email: 'ada@acme.example', name: 'Test' });
  admin = kith.client(token);
  while ((await demoCounts(kith.database.database)).unfilled > 0) await admin.send('/health/ready');
}, 240_000);
afterAll(() => kith.stop());

const where = (field: string, operator: string, value?: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});

async function won(): Promise<{ id: string; name: string; created_at: string; pipeline_step_entered_at: string }> {
  const { json: known } = await admin.get('/pipelines');
  const steps = known.pipelines.flatMap(({ steps: all }: { steps: { id: string; name: string }[] }) => all);
  const step = steps.find(({ name }: { name: string }) => name === 'Won');
  const filters = where('pipeline_step_id', 'equals', step.id);
  const { json } = await admin.get('/records/opportunities', { filters, limit: 1, sort_by: 'created_at' });
  return json.data[0];
}

it('tells of a deal that was won when it came to each step, and who moved it', async () => {
  const deal = await won();
  const { json: steps } = await admin.get(`/pipelines/opportunities/${deal.id}/history`);
  const left = steps.data.filter(({ left_at: at }: { left_at: string | null }) => at !== null);
  expect(left.length).toBeGreaterThan(1);
  expect(left.at(-1)).toMatchObject({ pipeline_step_id_display: 'Lead', entered_at: deal.created_at });
  for (const [at, { entered_at: entered, left_at: leaves, moved_by: mover }] of left.entries()) {
    expect(Date.parse(entered)).toBeLessThan(Date.parse(leaves));
    expect(Date.parse(leaves)).toBeLessThan(midnight);
    if (at > 0) expect(leaves).toBe(left[at - 1].entered_at);
    expect(mover.display).toMatch(/^[A-Z]/);
  }
  const total = steps.time_in_steps
    .filter((step: { is_current: boolean }) => !step.is_current)
    .reduce((sum: number, { seconds }: { seconds: number }) => sum + seconds, 0);
  const taken = (Date.parse(deal.pipeline_step_entered_at) - Date.parse(deal.created_at)) / 1000;
  expect(Math.abs(total - taken)).toBeLessThan(steps.time_in_steps.length);
});

it('shows the deal as it was before, and nothing before it was made', async () => {
  const deal = await won();
  const asOf = (at: number) => admin.get(`/records/opportunities/${deal.id}`, { as_of: new Date(at).toISOString() });
  const { json: begun } = await asOf(Date.parse(deal.created_at) + 1000);
  expect(begun.record).toMatchObject({ name: deal.name, pipeline_step_id_display: 'Lead', probability: 10 });
  const { json: later } = await asOf(Date.parse(deal.pipeline_step_entered_at) + 1000);
  expect(later.record).toMatchObject({ pipeline_step_id_display: 'Won', probability: 100 });
  expect((await asOf(Date.parse(deal.created_at) - 1000)).json.code).toBe('RECORD_NOT_FOUND');
});

it.each(['companies', 'contacts', 'opportunities', 'subscriptions'])(
  'has records of %s that came over a year and a half',
  async (object) => {
    const { json } = await admin.get(`/records/${object}`, { limit: 1, sort_by: 'created_at', sort_dir: 'asc' });
    expect(midnight - Date.parse(json.data[0].created_at)).toBeGreaterThan(480 * dayMs);
    const { json: latest } = await admin.get(`/records/${object}`, {
      limit: 1,
      sort_by: 'created_at',
      sort_dir: 'desc',
    });
    expect(Date.parse(latest.data[0].created_at)).toBeLessThan(midnight);
    expect(midnight - Date.parse(latest.data[0].created_at)).toBeLessThan(30 * dayMs);
    const half = where('created_at', 'less_than', new Date(midnight - 270 * dayMs).toISOString());
    const { json: earlier } = await admin.get(`/records/${object}`, { limit: 1, filters: half });
    expect(earlier.total / json.total).toBeGreaterThan(0.1);
    expect(earlier.total / json.total).toBeLessThan(0.9);
  },
);

it('says of a company that was changed what it had before, when it was changed and by whom', async () => {
  const { json } = await admin.get('/records/companies', { limit: 100, sort_by: 'updated_at', sort_dir: 'desc' });
  const changed = json.data.filter((one: Record<string, string>) => one['created_at'] !== one['updated_at']);
  expect(changed.length).toBeGreaterThan(20);
  const [{ id, updated_at: at }] = changed;
  const { json: history } = await admin.get(`/records/companies/${id}/history`);
  expect(history.data.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
  expect(history.data[0]).toMatchObject({ at, means: 'demo', actor: { display: expect.any(String) } });
  expect(history.data[0].changes).toHaveLength(1);
});

it('has tasks that were done, are due, and are overdue, over all of the time', async () => {
  const { json: stats } = await admin.get('/tasks/stats');
  expect(stats).toMatchObject({ total: 400, completionRate: 75 });
  expect(stats.remainingToday).toBe(14);
  expect(stats.overdue).toBeGreaterThan(20);
  expect(stats.thisWeek).toBeGreaterThan(14);
  const { json: first } = await admin.get('/tasks', { limit: 1, sort_by: 'created_at', sort_dir: 'asc' });
  const [task] = first.data;
  expect(midnight - Date.parse(task.created_at)).toBeGreaterThan(400 * dayMs);
  expect(task).toMatchObject({ is_completed: true, completed_by: task.assigned_to_id });
  expect(Date.parse(task.completed_at)).toBeGreaterThan(Date.parse(task.created_at));
  expect(Date.parse(task.completed_at)).toBeLessThan(midnight);
});

it("shows notes of the workspace to everybody and others' private ones to nobody, admins included", async () => {
  const { json: seen } = await admin.get('/notes', { limit: 100 });
  expect(seen.total).toBeGreaterThan(200);
  expect(seen.total).toBeLessThan(300);
  const authors = new Set(
    seen.data.map(({ created_by_display: author }: { created_by_display: { id: string } }) => author.id),
  );
  expect(authors.size).toBeGreaterThan(4);
  const { json: own } = await admin.get('/notes', { filters: where('visibility', 'equals', 'private'), limit: 100 });
  expect(own.total).toBeGreaterThan(0);
  const { json: me } = await admin.get('/me');
  for (const { created_by_display: author } of own.data) expect(author.id).toBe(me.workspaceUserId);
});

it('tells of what happened around a deal', async () => {
  const { json: notes } = await admin.get('/notes', { limit: 100 });
  const { json: found } = await admin.get(`/notes/${notes.data.at(-1).id}`);
  const linked = found.note.linked_entities as { id: string; type: string }[];
  const { id, type } = linked[0] ?? { id: '', type: '' };
  const { json } = await admin.get(`/activity/${type}/${id}`, { view: 'timeline' });
  expect(json.counts.notes).toBeGreaterThan(0);
  expect(json.timeline.some(({ id: item }: { id: string }) => item === found.note.id)).toBe(true);
});

it('leaves unread what users were told of in the last days', async () => {
  const { json } = await admin.get('/notifications', { limit: 100 });
  expect(json.data.length).toBeGreaterThan(json.unread);
  for (const { read_at: read, created_at: at } of json.data)
    expect(read === null).toBe(Date.parse(at) > midnight - 10 * dayMs);
});

it('has conversations over all of the time, with contacts, and what they say', async () => {
  const { json } = await admin.get('/inbox/threads', { limit: 100 });
  expect(json.total).toBeGreaterThan(20);
  const dates = json.data.map(({ last_message_date: at }: { last_message_date: string }) => Date.parse(at));
  expect(Math.max(...dates)).toBeLessThan(midnight);
  expect(midnight - Math.min(...dates)).toBeGreaterThan(200 * dayMs);
  const { json: contacts } = await admin.get('/records/contacts', { limit: 100, fields: 'emails' });
  expect(contacts.total).toBe(5000);
  const counts = await demoCounts(kith.database.database);
  expect(counts).toMatchObject({ threads: 480, events: 276 });
  expect(counts.interactions).toBeGreaterThan(2_000);
});

it('has meetings that were and meetings that come, with the contacts who attend', async () => {
  const span = (from: number, to: number) => ({
    start_date: new Date(from).toISOString(),
    end_date: new Date(to).toISOString(),
  });
  const { json: coming } = await admin.get('/meetings', span(midnight, midnight + 32 * dayMs));
  expect(coming).toMatchObject({ total: expect.any(Number) });
  expect(coming.events.length).toBeGreaterThan(0);
  const { json: past } = await admin.get('/meetings', span(midnight - 560 * dayMs, midnight));
  expect(past.events.length).toBeGreaterThan(3);
  for (const { linked_entities: linked, start_time: start } of [...coming.events, ...past.events]) {
    expect(Date.parse(start) % (15 * 60_000)).toBe(0);
    expect([0, 6]).not.toContain(new Date(start).getUTCDay());
    expect(linked.some(({ type }: { type: string }) => type === 'contacts')).toBe(true);
  }
});
