/** Appends to the audit; nothing else writes it. Call it at the end of a transaction: it locks the head until the commit. */
import { dataKeyring } from '../auth/data-key.ts';
import type { Key, Keyring } from '../auth/keys.ts';
import { UnknownKey } from '../auth/seal.ts';
import { newId } from '../lib/id.ts';
import type { Row, Rows } from '../postgres/database.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';
import { hashOf, isSame, signatureOf, signingKey, type Head } from './chain.ts';
import type { AuditAuthor, AuditEvent } from './event.ts';

/** The organization of an audit, and its keys. */
export interface Book {
  readonly organization: { readonly id: string; readonly schema: string };
  readonly keyring: Keyring;
}

type Run = (query: Sql) => Promise<Rows>;

/** Appends an entry in the transaction that `run` belongs to; `now` is in milliseconds. */
export async function appendAudit(
  run: Run,
  { organization, keyring }: Book,
  author: AuditAuthor,
  { action, subject }: AuditEvent,
  now: number,
): Promise<void> {
  const table = (name: string) => identifier(organization.schema, name);
  // Before its migration, an organization has no audit, and must be usable to be migrated.
  const there = await run(sql`select to_regclass(${`${organization.schema}._audit_head`}) is not null`);
  if (there.rows[0]?.[0] !== 't') return;
  const { dataKey, ...found } = await lockedHead(run, table);
  const key = keyAtHand(keyring, organization, dataKey);
  const signed = (head: Head) => (key ? signatureOf(key, head) : '');
  let head: Head = found;
  const append = async (by: AuditAuthor, what: AuditEvent) => {
    const seq = String(BigInt(head.rows) + 1n);
    const iso = new Date(now).toISOString();
    const entry = {
      ...by,
      action: what.action,
      subject: JSON.stringify(what.subject),
      seq,
      id: newId(now),
      at: `${iso.slice(0, -1)}000Z`,
      previous: head.hash,
    };
    const hash = key ? hashOf(key, entry) : '';
    await run(sql`insert into ${table('_audit')}
      (seq, id, at, action, subject, actor_id, means, agent, token_id, request, address, key_id, previous, hash)
      values (${seq}::bigint, ${entry.id}::uuid, ${iso}::timestamptz, ${entry.action}, ${entry.subject}, ${by.actorId}::uuid,
        ${by.means}, ${by.agent}, ${by.tokenId}::uuid, ${by.request}, ${by.address}, ${key?.id ?? ''}, ${entry.previous}, ${hash})`);
    head = { rows: seq, hash };
  };
  // A new signature over a broken chain would hide the manipulation.
  const isWhole =
    found.last === found.rows && (!key || isSame(found.signature, found.rows === '0' ? '' : signed(found)));
  if (!isWhole) {
    const rows = BigInt(found.last) > BigInt(found.rows) ? found.last : found.rows;
    head = { rows, hash: found.hash };
    const { actorId, tokenId, agent, request, address } = author;
    const service = { means: 'system', actorId, tokenId, agent, request, address } as const;
    await append(service, { action: 'audit.broken', subject: { entries: found.last, known: found.rows } });
  }
  await append(author, { action, subject });
  await run(sql`update ${table('_audit_head')} set rows = ${head.rows}::bigint, hash = ${head.hash},
    signature = ${signed(head)} where id = 1`);
}

/** The signing key; undefined if the secret is missing: then entries are unsigned, and verification reports them. */
function keyAtHand(keyring: Keyring, organization: Book['organization'], dataKey: string): Key | undefined {
  try {
    return signingKey(dataKeyring(keyring, organization, dataKey));
  } catch (error) {
    if (error instanceof UnknownKey) return undefined;
    throw error;
  }
}

interface LockedHead extends Head {
  readonly signature: string;
  /** The number of the last entry. */
  readonly last: string;
  readonly dataKey: string;
}

/** The head, locked until the end of the transaction; the first entry creates it. */
async function lockedHead(run: Run, table: (name: string) => Sql): Promise<LockedHead> {
  const query = sql`select h.rows, h.hash, h.signature from ${table('_audit_head')} h where h.id = 1 for update`;
  let [found] = (await run(query)).rows;
  if (!found) {
    await run(
      sql`insert into ${table('_audit_head')} (id, rows, hash, signature) values (1, 0, '', '') on conflict do nothing`,
    );
    [found] = (await run(query)).rows;
  }
  const [rows, hash, signature] = found as Row;
  // Read under the lock, to see concurrent entries.
  const beside = await run(sql`select o.data_key, coalesce((select max(a.seq) from ${table('_audit')} a), 0)
    from ${table('_organization')} o`);
  const [dataKey, last] = beside.rows[0] as Row;
  return { rows: rows ?? '', hash: hash ?? '', signature: signature ?? '', last: last ?? '', dataKey: dataKey ?? '' };
}
