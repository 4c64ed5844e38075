/** Verifies an organization's audit: every entry and the head, in one snapshot. */
import { dataKeyAtHand } from '../auth/data-key.ts';
import type { Key } from '../auth/keys.ts';
import type { Database, Row } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { Book } from './append.ts';
import { hashOf, isSame, signatureOf, signingKey, type Head } from './chain.ts';

export interface Verdict {
  readonly ok: boolean;
  /** The number of entries. */
  readonly rows: number;
  /** `number:hash` of the last entry, to be noted elsewhere; null if there is none. */
  readonly head: string | null;
  /** The first manipulated entry. */
  readonly first_bad: { readonly seq: number; readonly reason: string } | null;
}

/** A head noted from an earlier verdict. */
export interface NotedHead {
  readonly seq: string;
  readonly hash: string;
}

/** Entries that are held at a time. */
const atOnce = 500;

/** Verifies the whole audit. A `noted` head must be among the entries, which also detects an audit that was reset to an earlier state. */
export async function verifyAudit(
  database: Database,
  { organization, keyring }: Book,
  noted: NotedHead | undefined,
): Promise<Verdict> {
  const table = (name: string) => identifier(organization.schema, name);
  const head = (column: 'rows' | 'hash' | 'signature') =>
    sql`(select h.${identifier(column)} from ${table('_audit_head')} h where h.id = 1)`;
  const query = sql`select o.data_key, ${head('rows')}, ${head('hash')}, ${head('signature')},
      a.seq, a.id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.action, a.subject, a.actor_id, a.means,
      a.agent, a.token_id, a.request, a.address, a.key_id, a.previous, a.hash
    from ${table('_organization')} o left join ${table('_audit')} a on true order by a.seq`;
  let look: Look | undefined;
  for await (const rows of database.stream(organization.id, statement(query), atOnce, Infinity)) {
    for (const row of rows) {
      look ??= new Look(keyOf({ organization, keyring }, row), headOf(row), noted);
      if (row[entryAt] !== null) look.takes(row.slice(entryAt));
    }
  }
  if (!look) throw new Error('The organization has no settings');
  return look.end();
}

/** The index of an entry's first cell. */
const entryAt = 4;

function keyOf({ organization, keyring }: Book, [dataKey]: Row): Key {
  return signingKey(dataKeyAtHand(keyring, organization, dataKey ?? '', 'proves the audit: put it back first'));
}

function headOf([, rows = null, hash, signature]: Row): SignedHead | undefined {
  return rows === null || rows === '0' ? undefined : { rows, hash: hash ?? '', signature: signature ?? '' };
}

interface SignedHead extends Head {
  readonly signature: string;
}

/** The state of a walk along the chain. */
class Look {
  readonly #key: Key;
  readonly #head: SignedHead | undefined;
  readonly #noted: NotedHead | undefined;
  #rows = 0;
  #seq = 0;
  #hash = '';
  #bad: Verdict['first_bad'] = null;
  #isNotedFound = false;

  constructor(key: Key, head: SignedHead | undefined, noted: NotedHead | undefined) {
    this.#key = key;
    this.#head = head;
    this.#noted = noted;
  }

  takes(cells: Row): void {
    const text = (at: number) => cells[at] ?? '';
    const maybe = (at: number) => cells[at] ?? null;
    const entry = {
      ...{
        seq: text(0),
        id: text(1),
        at: text(2),
        action: text(3),
        subject: text(4),
        actorId: maybe(5),
        means: text(6),
      },
      ...{ agent: maybe(7), tokenId: maybe(8), request: maybe(9), address: maybe(10), previous: text(12) },
    };
    const [keyId, hash, number] = [text(11), text(13), Number(entry.seq)];
    if (number !== this.#seq + 1) this.#fail(this.#seq + 1, 'it is missing');
    if (keyId === '') this.#fail(number, 'it has no signature: the secret was not at hand');
    else if (keyId !== this.#key.id) this.#fail(number, 'its key is not at hand');
    else if (!isSame(hash, hashOf(this.#key, entry))) this.#fail(number, 'it was changed');
    else if (entry.previous !== this.#hash) this.#fail(number, 'it does not follow the one before it');
    else if (entry.action === 'audit.broken')
      this.#fail(number, 'the service found here that the audit had been changed');
    if (entry.seq === this.#noted?.seq && hash === this.#noted.hash) this.#isNotedFound = true;
    this.#rows++;
    this.#seq = number;
    this.#hash = hash;
  }

  end(): Verdict {
    this.#lookAtHead();
    if (this.#noted && !this.#isNotedFound) this.#fail(Number(this.#noted.seq), 'it is not the one that was noted');
    const head = this.#rows === 0 ? null : `${this.#seq}:${this.#hash}`;
    return { ok: this.#bad === null, rows: this.#rows, head, first_bad: this.#bad };
  }

  #lookAtHead(): void {
    const head = this.#head;
    if (!head) {
      if (this.#rows > 0) this.#fail(1, 'the head is missing');
      return;
    }
    const known = Number(head.rows);
    if (known > this.#seq) this.#fail(this.#seq + 1, 'it is missing');
    else if (known < this.#seq) this.#fail(known + 1, 'the head does not know it');
    else if (head.hash !== this.#hash) this.#fail(known, 'the head knows another one');
    if (!isSame(head.signature, signatureOf(this.#key, head))) this.#fail(known, 'the head was changed');
  }

  #fail(seq: number, reason: string): void {
    this.#bad ??= { seq, reason };
  }
}
