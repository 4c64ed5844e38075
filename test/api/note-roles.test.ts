/** [spec: Notes; contract: Workspace manifest] The system object `notes` takes the permissions of roles under its name. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type TestKith } from '../support/kith.ts';
import { apply, expectError } from './records.ts';

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

it('a role that hides a field of notes is answered as if there was none', async () => {
  const organization = await kith.organization();
  const { admin } = organization;
  const { note_id: id } = (await admin.post('/notes', { content: 'x', data: { visibility: 'workspace' } })).json;
  await apply(admin, {
    roles: [
      {
        name: 'Blind',
        permissions: { '*': { view: 'all', create: true, update: 'all' }, notes: { fields: { content: 'none' } } },
      },
    ],
  });
  const blind = await organization.user('Blind');
  for (const write of [
    (key: string) => blind.post('/notes', { [key]: 'x' }),
    (key: string) => blind.put(`/notes/${id}`, { [key]: 'x' }),
  ]) {
    const unknown = await write('no_key');
    expectError(unknown, 'VALIDATION_ERROR');
    expect(unknown.json.message).toBe('"no_key" is not known here');
    for (const key of ['content', 'title'])
      expect((await write(key)).text.replaceAll(key, 'no_key')).toBe(unknown.text);
    expect((await write('contnet')).text).not.toContain('content');
  }
  const empty = await blind.post('/notes', {});
  expectError(empty, 'VALIDATION_ERROR');
  expect(empty.text).not.toContain('content');
});
