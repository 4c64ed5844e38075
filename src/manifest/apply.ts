/**
 * Applies a manifest in one transaction: until its commit everybody uses the old workspace, then the new one. Tables are
 * locked only after everything slow is known.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../access/call.ts';
import type { Aftermath, WorkspaceTransaction } from '../access/workspace.ts';
import { errors, type KithError, Mistakes } from '../errors.ts';
import { insertJob, standingKey } from '../jobs/table.ts';
import type { Json } from '../lib/json.ts';
import { nextSlice } from '../lib/slices.ts';
import { messageOf } from '../lib/thrown.ts';
import { buildModel } from '../model/build.ts';
import type { StoredModel } from '../model/definition.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import type { Model } from '../model/model.ts';
import { raiseVersions } from '../model/state.ts';
import { deleteOthers, insertObjects, insertPipelines, insertRoles } from '../model/store.ts';
import { isCanceled, isLockTimeout } from '../postgres/failure.ts';
import { identifier, join, sql, statement } from '../postgres/sql.ts';
import { changesBetween, type Change } from './changes.ts';
import { checkCaps } from './check-caps.ts';
import { checkedModel } from './check.ts';
import { checkNames } from './check-names.ts';
import { keepDays } from './keep-days.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { mergeManifest } from './merge.ts';
import { Problems } from './problems.ts';
import { completeSearch, fillUniqueValues, makeIndexes, notePendingReindex, upkeepKind } from './settle.ts';
import type { Count, StorageChange } from './storage-change.ts';
import { storageChange } from './storage.ts';
import { soMany } from '../lib/so-many.ts';

interface Plan {
  readonly changes: readonly Change[];
  readonly stored: StoredModel;
  readonly before: Model;
  readonly after: Model;
  readonly storage: StorageChange;
}

/** The changes that `applyManifest` would make; `rows` is how many rows a change would take values from. Throws VALIDATION_ERROR. */
export async function planManifest(call: Call, value: Json): Promise<readonly Change[]> {
  const manifest = readManifest(value);
  return call.workspace.transaction(async (tx) => {
    const plan = await makePlan(call, tx, manifest);
    return withRows(plan.changes, await count(tx, plan.storage.losses));
  });
}

/** The workspace's model with the manifest applied. Throws VALIDATION_ERROR. */
export async function modelAfter(call: Call, tx: WorkspaceTransaction, value: Json): Promise<Model> {
  const { after } = await makePlan(call, tx, readManifest(value));
  return after;
}

export interface Consent {
  /** Also apply if rows lose values. */
  readonly toDestroy: boolean;
  /** How long tables may be locked, in milliseconds. */
  readonly lockMs: number;
}

/** The default, so that no request waits for longer than a second. */
export const defaultLockMs = 900;

/**
 * Applies the manifest. Throws VALIDATION_ERROR, DESTRUCTIVE_CHANGE without consent, and CONFLICT if tables stay busy or
 * would be locked for too long.
 */
export async function applyManifest(call: Call, value: Json, consent: Consent): Promise<readonly Change[]> {
  const manifest = readManifest(value);
  const { changes, after } = await patiently(call.signal, () =>
    call.workspace.exclusive(async (tx) => {
      const plan = await makePlan(call, tx, manifest);
      if (plan.changes.length === 0) return plan;
      const changed = await execute(call, tx, plan, consent);
      auditChanges(call, tx, plan);
      return { changes: changed, after: { ...plan.after, version: String(BigInt(plan.before.version) + 1n) } };
    }),
  );
  await call.workspace.afterwards((aftermath) => settle(call, aftermath, after));
  return changes;
}

/** Audits the number of changes by kind, and each changed role by name. */
function auditChanges(call: Call, tx: WorkspaceTransaction, { changes, before }: Plan): void {
  const counts: Record<string, number> = {};
  for (const { kind, action } of changes) counts[`${kind}.${action}`] = (counts[`${kind}.${action}`] ?? 0) + 1;
  call.audit(tx, 'model.changed', { from_version: before.version, changes: counts });
  for (const { kind, action, name, from, changed } of changes) {
    if (kind !== 'role') continue;
    const told = { role: name, change: action, ...(from !== undefined && { from }), ...(changed && { changed }) };
    call.audit(tx, 'role.changed', told);
  }
}

/** How long a request completes search texts before it leaves them to the upkeep; the command line waits. */
const settleMs = 5_000;
/** Delay before the upkeep completes the rest. */
const upkeepMs = 2 * settleMs;

/** Completes what needs no lock after the commit. If it fails, the upkeep or the next apply completes it. */
async function settle(call: Call, aftermath: Aftermath, after: Model): Promise<void> {
  try {
    await makeIndexes(aftermath, after);
    const end = call.source === 'cli' ? Infinity : performance.now() + settleMs;
    if (await completeSearch(aftermath, after, () => performance.now() < end)) return;
    call.warn('The workspace was changed; a search does not find everything yet: texts are completed within minutes');
  } catch (error) {
    const reason = messageOf(error);
    call.warn(`The workspace was changed, but indexes or search texts are not complete: apply again (${reason})`);
  }
}

async function makePlan({ model, caller }: Call, tx: WorkspaceTransaction, manifest: Manifest): Promise<Plan> {
  const organization = { id: model.organizationId, schema: model.schema };
  const before = await readStoredModel(await tx.run(statement(modelQuery(model.schema))));
  await nextSlice();
  const role = before.roles.find((candidate) => candidate.id === caller.role.id);
  if (!role?.is_admin) throw errors.adminOnly('Changing the workspace');
  const problems = new Problems();
  // With the most possible fields, each step takes some ten milliseconds.
  const draft = await mergeManifest(before, manifest, problems);
  await checkCaps(before, draft, problems);
  await checkNames(before, draft, problems);
  await nextSlice();
  const after = await checkedModel(organization, draft, problems);
  await nextSlice();
  const changes = changesBetween(before, draft.model);
  await nextSlice();
  const was = buildModel(organization, before);
  return { changes, stored: draft.model, before: was, after, storage: storageChange(was, after) };
}

async function execute(
  call: Call,
  transaction: WorkspaceTransaction,
  { changes, stored, before, after, storage }: Plan,
  consent: Consent,
): Promise<readonly Change[]> {
  const { schema } = after;
  for (const script of storage.newTables) await transaction.script(script);
  await lockTables(transaction, schema, [...storage.tables].toSorted());
  const tx = storage.tables.size > 0 ? hurried(transaction, consent.lockMs) : transaction;
  const losses = await count(tx, storage.losses);
  refuse(await count(tx, storage.obstacles), losses, consent.toDestroy);
  for (const query of storage.statements) await tx.run(statement(query));
  for (const script of storage.scripts) await tx.script(script);
  await fillUniqueValues(tx, before, after);
  const touched = [...before.objects.values()].filter(({ table }) => storage.tables.has(table));
  const rows = [
    ...deleteOthers(schema, stored),
    ...insertObjects(schema, stored.objects),
    ...insertPipelines(schema, stored.pipelines),
    insertRoles(schema, stored.roles),
    sql`update ${identifier(schema, '_organization')} set name = ${stored.name}, currency = ${stored.currency},
      timezone = ${stored.timezone}, model_version = model_version + 1`,
    ...keepDays(before, after),
    raiseVersions(schema, after.objects.values()),
    notePendingReindex(
      schema,
      touched.map(({ id }) => id),
    ),
  ];
  for (const query of rows) await tx.run(statement(query));
  if (touched.length > 0) await askForUpkeep(call, tx);
  await keepAnAdmin(call, tx);
  // The lock limits must not apply to the end of the transaction.
  await transaction.script('set local lock_timeout to default; set local statement_timeout to default');
  return withRows(changes, losses);
}

async function askForUpkeep(call: Call, tx: WorkspaceTransaction): Promise<void> {
  const runAt = call.now + upkeepMs;
  const wanted = { kind: upkeepKind, key: standingKey, input: null, runAt };
  await tx.run(insertJob(call.model, wanted, call.now));
  call.wake(runAt);
}

/** Locks all tables together before they are changed, and waits less than a second in all, as requests queue behind the lock. */
async function lockTables(tx: WorkspaceTransaction, schema: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const tables = names.map((name) => identifier(schema, name));
  await tx.script(`set local lock_timeout = '${Math.max(20, Math.floor(600 / names.length))}ms'`);
  await tx.run(statement(sql`lock table ${join(tables, ', ')} in access exclusive mode`));
}

/** The transaction with a deadline: a statement beyond `limitMs` is cancelled and everything rolled back. */
function hurried(tx: WorkspaceTransaction, limitMs: number): WorkspaceTransaction {
  const end = performance.now() + limitMs;
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    const left = Math.ceil(end - performance.now());
    if (left <= 0) throw tooLong();
    if (left < Infinity) await tx.script(`set local statement_timeout = ${left}`);
    try {
      return await work();
    } catch (error) {
      throw isCanceled(error) ? tooLong() : error;
    }
  };
  return {
    run: (query) => inTime(() => tx.run(query)),
    script: (text) => inTime(() => tx.script(text)),
    attempt: (body) => tx.attempt(body),
    atEnd: (work) => tx.atEnd(work),
  };
}

function tooLong(): KithError {
  const message =
    'This would lock tables for more than a second, because they are large; nothing was changed. Allow the lock, at a quiet time';
  return errors.conflict(message);
}

interface Counted extends Count {
  readonly rows: number;
}

/** The counts above zero. */
async function count(tx: WorkspaceTransaction, counts: readonly Count[]): Promise<readonly Counted[]> {
  const found: Counted[] = [];
  for (const each of counts) {
    const { rows } = await tx.run(statement(each.query));
    found.push({ ...each, rows: Number(rows[0]?.[0] ?? 0) });
  }
  return found.filter(({ rows }) => rows > 0);
}

function refuse(obstacles: readonly Counted[], losses: readonly Counted[], allowDestroy: boolean): void {
  mistakesOf(obstacles, ({ what, rows }) => `${what} (${rows})`).refuse();
  if (losses.length === 0 || allowDestroy) return;
  const { text, told } = mistakesOf(losses, ({ what, rows }) => `${what} in ${soMany(rows, 'row')}`);
  throw errors.destructiveChange(`This would destroy data: ${text}. Nothing was changed`, told);
}

function mistakesOf(counted: readonly Counted[], wording: (count: Counted) => string): Mistakes {
  const mistakes = new Mistakes();
  for (const count of counted) mistakes.add({ field: placeOf(count.of), message: wording(count) });
  return mistakes;
}

function placeOf({ object, pipeline, name }: Count['of']): string {
  return [object, pipeline, name].filter(Boolean).join('.');
}

function withRows(changes: readonly Change[], losses: readonly Counted[]): readonly Change[] {
  const rowsOf = new Map<string, number>();
  for (const { of, rows } of losses) rowsOf.set(keyOf(of), (rowsOf.get(keyOf(of)) ?? 0) + rows);
  return changes.map((change) => {
    const rows = rowsOf.get(keyOf(change));
    return rows !== undefined && change.action !== 'rename' ? { ...change, rows } : change;
  });
}

function keyOf({ kind, name, object, pipeline }: Count['of']): string {
  return JSON.stringify([kind, name, object, pipeline]);
}

/** Throws if no active admin would be left, since nobody could change the organization then. */
async function keepAnAdmin({ model: { schema } }: Call, tx: WorkspaceTransaction): Promise<void> {
  const query = sql`select count(*) from ${identifier(schema, '_users')} u
    join ${identifier(schema, '_roles')} r on r.id = u.role_id where r.is_admin and u.is_active`;
  const { rows } = await tx.run(statement(query));
  if (rows[0]?.[0] === '0') throw errors.validation('No active user would be an admin any more');
}

const patienceMs = 30_000;

/** Retries while others hold the locks; between attempts all waiting requests proceed. */
async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > end) throw errors.conflict('Other requests keep the tables busy; nothing was changed');
      await sleep(50 + Math.random() * 200, undefined, { signal });
    }
  }
}
