/**
 * `Idempotency-Key`: a repeated write gets the stored answer instead of being carried out again. The key, the write and its
 * answer are one transaction; a concurrent request with the same key waits for it. [decisions: Writing] An external effect
 * has no transaction: its key is committed before and its answer after it, so that a key without an answer means an unknown
 * outcome.
 */
import { createHash } from 'node:crypto';
import { scopesKey } from '../../access/caller.ts';
import { inOneTransaction } from '../../access/one-transaction.ts';
import type { StatementScope, Workspace, WorkspaceTransaction } from '../../access/workspace.ts';
import { dataKeyAtHand } from '../../auth/data-key.ts';
import type { Keyring } from '../../auth/keys.ts';
import { openLong, sealLong } from '../../auth/seal.ts';
import { errors } from '../../errors.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { together, type LongText } from '../../lib/long-text.ts';
import type { Cell, Rows } from '../../postgres/database.ts';
import type { OrganizationRef } from '../../model/definition.ts';
import { isLockTimeout } from '../../postgres/failure.ts';
import { identifier, instant, sql, statement, type Sql } from '../../postgres/sql.ts';
import { createTurns } from '../../postgres/turns.ts';
import { EventStream } from './event-stream.ts';
import { Download, JsonText, type Answer } from './operation.ts';

/** The idempotency data of a request. */
export interface OnceKey {
  readonly key: string;
  /** A hash of the rest of the request: another request must not use the same key. */
  readonly request: string;
  /** The change set of the request's writes, stored with the answer. */
  readonly changeSet?: string;
  /** Called when the stored answer is used, with the change set of the earlier request, if known. */
  replayed(changeSet: string | undefined): void;
}

/** How long an answer is stored, in milliseconds. */
export const keptMs = 24 * 3_600_000;
const waitMs = 2_000;
/** Characters of an answer that PostgreSQL sends per row. */
const pieceLength = 1_048_576;

/** A stored answer. */
interface Kept {
  readonly text: LongText;
  readonly etag?: string;
  readonly warnings: readonly string[];
  /** The scopes of the token that got the answer. */
  readonly scopes: string;
  /** Missing in answers that an older release stored. */
  readonly changeSet?: string;
}

type Given = Omit<Kept, 'scopes' | 'changeSet'>;

/** Runs `work` unless an answer is stored; `warnings` are replaced by the stored ones. */
type Once = <Result extends Answer>(
  once: OnceKey,
  place: StatementScope,
  warnings: string[],
  work: (workspace?: Workspace) => Promise<Result>,
) => Promise<Result>;

/**
 * Runs `work` and stores its answer, or returns the stored one. A refused request leaves its key free. Throws
 * VALIDATION_ERROR for the key of a different request, and CONFLICT while that request is running or if rights have changed
 * since.
 */
export interface CarryOutOnce {
  /** For work on the database only, which runs in the workspace that it gets. */
  readonly inside: Once;
  /**
   * For work with external effects. If it fails after a commit or a send, its key stays taken, and each further request
   * with it throws CONFLICT: the outcome is unknown.
   */
  readonly outside: Once;
}

/** Makes the idempotency of a process. The keyring encrypts the stored answers. */
export function createCarryOutOnce(keyring: Keyring): CarryOutOnce {
  // Requests of this process with one key wait here without a connection; those of other processes wait in the table.
  const turns = createTurns(1, stillAtWork);
  const inTurn =
    (way: Way): Once =>
    async (once, place, warnings, work) => {
      const { caller, model } = place;
      const name = JSON.stringify([model.schema, caller.workspaceUserId, once.key]);
      const keys = keysIn(place, keyring, once);
      const outcome = await turns.take(name, () => way(keys, place, warnings, work));
      if (!outcome.kept) return outcome.answer;
      const { text, etag, warnings: kept } = outcome.kept;
      once.replayed(outcome.kept.changeSet);
      warnings.splice(0, Infinity, ...kept);
      // The stored answer is of this operation, as the key is bound to the request.
      return new JsonText(text, etag) as Answer as Awaited<ReturnType<typeof work>>;
    };
  return { inside: inTurn(doneOnce), outside: inTurn(sentOnce) };
}

type Outcome<Result> =
  | { readonly answer: Result; readonly kept?: undefined }
  | { readonly answer?: never; readonly kept: Kept };

type Way = <Result extends Answer>(
  keys: Keys,
  place: StatementScope,
  warnings: string[],
  work: (workspace?: Workspace) => Promise<Result>,
) => Promise<Outcome<Result>>;

const doneOnce: Way = (keys, place, warnings, work) =>
  inOneTransaction(place, true, async ({ tx, open }) => {
    // Before `open`, which takes a lock to check the caller: a waiter must not block the request that it waits for.
    const claim = await keys.claim(tx);
    const workspace = await open();
    if (!claim.taken) return { kept: await keys.recall(tx, claim.dataKey) };
    const answer = await work(workspace);
    await keys.keep(tx, claim.dataKey, await keptOf(answer, warnings));
    return { answer };
  });

const sentOnce: Way = async (keys, place, warnings, work) => {
  // Committing the key is not progress of the request: it may still be repeated.
  const before = { ...place, progress: { hasCommitted: false } };
  const { dataKey, kept } = await inOneTransaction(before, true, async ({ tx, open }) => {
    const claim = await keys.claim(tx);
    await open();
    return { dataKey: claim.dataKey, kept: claim.taken ? undefined : await keys.recall(tx, claim.dataKey) };
  });
  if (kept) return { kept };
  const { database, model, limitMs } = place;
  // Without the request's signal: the outcome is stored even after a disconnect or timeout.
  const apart = { run: (query: Sql) => database.run(model.organizationId, statement(query, model.version), limitMs) };
  try {
    const answer = await work();
    await keys.keep(apart, dataKey, await keptOf(answer, warnings));
    return { answer };
  } catch (error) {
    // The first error matters to the caller.
    if (!place.progress.hasCommitted) await keys.release(apart).catch(() => {});
    throw error;
  }
};

interface Claim {
  /** Whether the key was free and is now this request's. */
  readonly taken: boolean;
  readonly dataKey: string;
}

interface Keys {
  claim(tx: WorkspaceTransaction): Promise<Claim>;
  recall(tx: WorkspaceTransaction, dataKey: string): Promise<Kept>;
  keep(tx: Apart, dataKey: string, given: Given): Promise<void>;
  /** Frees the key, as nothing was done under it. */
  release(tx: Apart): Promise<void>;
}

interface Apart {
  run(query: Sql): Promise<Rows>;
}

function opened(keyring: Keyring, organization: OrganizationRef, dataKey: string): Keyring {
  const cannot =
    'keeps answers for Idempotency-Key: its operator has to put it back, and until then writes go without one';
  return dataKeyAtHand(keyring, organization, dataKey, cannot);
}

function keysIn({ caller, model, now }: StatementScope, keyring: Keyring, { key, request, changeSet }: OnceKey): Keys {
  const table = identifier(model.schema, '_idempotency');
  const settings = identifier(model.schema, '_organization');
  const me = caller.workspaceUserId;
  const scopes = scopesKey(caller);
  const keyHash = createHash('sha256').update(key).digest('base64url');
  const sealPlace = `${model.schema}._idempotency/${me}/${keyHash}/answer`;
  const organization = { id: model.organizationId, schema: model.schema };
  const row = sql`i.workspace_user_id = ${me}::uuid and i.key_hash = ${keyHash}`;
  return {
    async claim(tx) {
      await tx.script(`set local lock_timeout = '${waitMs}ms'`);
      const time = (at: number) => instant(at);
      const insert = sql`insert into ${table} as i (workspace_user_id, key_hash, request_hash, role_id, created_at)
        values (${me}::uuid, ${keyHash}, ${request}, ${caller.role.id}::uuid, ${time(now)})
        on conflict (workspace_user_id, key_hash) do update set request_hash = excluded.request_hash,
          role_id = excluded.role_id, model_version = null, answer = null, created_at = excluded.created_at
        where i.created_at <= ${time(now - keptMs)} returning true`;
      const [taken, dataKey] = await claimed(
        tx,
        sql`with claimed as (${insert})
        select exists (select from claimed), o.data_key from ${settings} o`,
      );
      await tx.script('set local lock_timeout to default');
      return { taken: taken === 't', dataKey: dataKey ?? '' };
    },
    async recall(tx, dataKey) {
      const query = sql`select i.request_hash = ${request}, i.model_version is null, i.role_id = ${caller.role.id}::uuid
          and i.model_version = ${model.version}::bigint, substr(i.answer, p.start, ${pieceLength}::int)
        from ${table} i left join generate_series(1, octet_length(i.answer), ${pieceLength}::int) p (start) on true
        where ${row} order by p.start`;
      const { rows } = await tx.run(query);
      const [same, isOpen, sameRights, answer] = rows[0] ?? [];
      if (same !== 't') throw usedOtherwise();
      if (isOpen === 't') throw outcomeUnknown();
      if (sameRights !== 't' || typeof answer !== 'string') throw rightsChanged();
      const pieces = rows.map(([, , , piece]) => piece ?? '');
      const kept = keptIn(await openLong(opened(keyring, organization, dataKey), pieces, sealPlace));
      if (kept.scopes !== scopes) throw rightsChanged();
      return kept;
    },
    async keep(tx, dataKey, given) {
      const sealed = await sealLong(
        opened(keyring, organization, dataKey),
        textOf({ ...given, scopes, ...(changeSet !== undefined && { changeSet }) }),
        sealPlace,
      );
      // The version after the write, which a manifest raises.
      await tx.run(sql`update ${table} i set answer = array_to_string(${sealed}::text[], ''), model_version = o.model_version
        from ${settings} o where ${row}`);
    },
    async release(tx) {
      await tx.run(sql`delete from ${table} i where ${row}`);
    },
  };
}

async function claimed(tx: WorkspaceTransaction, query: Sql): Promise<readonly Cell[]> {
  try {
    return (await tx.run(query)).rows[0] ?? [];
  } catch (error) {
    throw isLockTimeout(error) ? stillAtWork() : error;
  }
}

async function keptOf(answer: Answer, warnings: readonly string[]): Promise<Given> {
  if (answer instanceof Download || answer instanceof EventStream)
    throw new Error('What is sent as it comes cannot be kept');
  if (!(answer instanceof JsonText)) return { text: await writeJson(answer), warnings };
  return { text: answer.text, warnings, ...(answer.etag !== undefined && { etag: answer.etag }) };
}

/** One line of metadata, then the answer's text as it is, since encoding it as JSON again would be slow. */
function textOf({ text, ...rest }: Kept): LongText {
  return together(`${JSON.stringify(rest)}\n`, text);
}

function keptIn(opened: LongText): Kept {
  const pieces = typeof opened === 'string' ? [opened] : opened;
  const last = pieces.findIndex((piece) => piece.includes('\n'));
  const head = pieces.slice(0, last + 1).join('');
  const end = head.indexOf('\n');
  const rest = JSON.parse(head.slice(0, end)) as Omit<Kept, 'text'>;
  return { ...rest, text: together(head.slice(end + 1), pieces.slice(last + 1)) };
}

const stillAtWork = () =>
  errors.conflict('A request with this Idempotency-Key is still being carried out; send it again shortly');

const outcomeUnknown = () =>
  errors.conflict(
    'The outcome of the request with this Idempotency-Key is not known: it may still be carried out, or it broke off after something was sent. It is not carried out again; look at what became of it before you send it under another key',
  );

const usedOtherwise = () =>
  errors.validation('This Idempotency-Key belongs to another request: path, query and body must be the same');

const rightsChanged = () =>
  errors.conflict(
    'The request with this Idempotency-Key was carried out, but the workspace, your role or the scopes of your token have changed since, so its answer cannot be repeated; read what it wrote',
  );
