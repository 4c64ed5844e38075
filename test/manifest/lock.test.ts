/** Nobody waits for long behind a manifest: what would lock a table for longer is undone. */
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyManifest, defaultLockMs } from '../../src/manifest/apply.ts';
import { pullManifest } from '../../src/operations/workspace/manifest.ts';
import { defineOperation } from '../../src/operations/door/operation.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

const retyped = { objects: [{ name: 'companies', fields: [{ name: 'employees', type: 'DECIMAL' }] }] };

const applyWithin = defineOperation({
  id: 'test.applyWithin',
  summary: 'Applies a manifest that may lock tables for so long',
  input: Type.Object({ lockMs: Type.Number() }),
  output: Type.Unknown(),
  effect: 'write',
  cost: 'global',
  run: (call, { lockMs }) => applyManifest(call, retyped, { toDestroy: false, lockMs }),
});

let test: TestDatabase;
let engine: Engine;
let token: string;
beforeAll(async () => {
  test = await testDatabase();
  engine = createEngine(test.database);
  ({ token } = await firstOrganization(engine, test.database));
});
afterAll(() => test.drop());

it('changes nothing when the time is not enough, and says how to allow it', async () => {
  const before = await engine.perform(token, pullManifest, {});
  const refused = engine.perform(token, applyWithin, { lockMs: 0 });
  await expect(refused).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Allow the lock') });
  expect(await engine.perform(token, pullManifest, {})).toEqual(before);
});

it('gives a second as a rule, and all the time there is when allowed', async () => {
  expect(defaultLockMs).toBeLessThan(1000);
  expect(await engine.perform(token, applyWithin, { lockMs: 60_000 })).toEqual([
    expect.objectContaining({ action: 'update', kind: 'field', name: 'employees' }),
  ]);
});
