/**
 * Outgoing mails in the control schema, encrypted until a mail server has accepted them. Any process may deliver; each mail
 * is taken by one.
 */
import type { Keyring } from '../auth/keys.ts';
import { isCurrent, open, seal } from '../auth/seal.ts';
import { controlRows, textOf } from '../directory/control.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/id.ts';
import type { Database } from '../postgres/database.ts';
import { sql } from '../postgres/sql.ts';
import { time } from './links.ts';

/** An order for a mail: what it says, and whether it is sent, is decided at delivery. */
export type MailOrder =
  | { readonly kind: 'sign-in'; readonly email: string; readonly next?: string }
  | { readonly kind: 'signup'; readonly email: string; readonly name: string; readonly organizationName: string }
  | {
      readonly kind: 'invitation';
      readonly email: string;
      readonly secret: string;
      readonly organizationName: string;
      readonly inviter: string;
      readonly roleName: string;
    };

export interface WaitingMail {
  readonly id: string;
  /** Undefined if no available secret decrypts it. */
  readonly order: MailOrder | undefined;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** In milliseconds. */
  readonly createdAt: number;
}

export interface Outbox {
  /** Stores the order; it will be delivered even if this process ends. */
  add(order: MailOrder): Promise<void>;
  /** Takes some due mails for this process; if it dies, others take them later. */
  take(most: number): Promise<readonly WaitingMail[]>;
  /** Removes a mail that was delivered or needs no delivery. */
  done(id: string): Promise<void>;
  /** Re-encrypts mails with the newest root secret; returns their number. Mails that cannot be decrypted stay. */
  reseal(): Promise<number>;
  /** Plans the next attempt, in milliseconds. */
  postpone(id: string, at: number): Promise<void>;
}

/** Longer than the timeout of a mail server. */
const takenMs = 120_000;

/** Makes the outbox; `added` is called after an order was stored. */
export function createOutbox(main: Database, keyring: Keyring, clock: Clock, added: () => void): Outbox {
  return {
    async add(order) {
      const id = newId();
      const content = seal(keyring, Buffer.from(JSON.stringify(order)), placeOf(id));
      const now = time(clock.now());
      await controlRows(
        main,
        sql`insert into kith.mails (id, content, attempts, created_at, next_attempt_at)
          values (${id}::uuid, ${content}, 0, ${now}, ${now})`,
      );
      added();
    },
    async take(most) {
      const due = sql`select id from kith.mails where next_attempt_at <= ${time(clock.now())}
        order by next_attempt_at limit ${most}::integer for update skip locked`;
      const rows = await controlRows(
        main,
        sql`update kith.mails m set attempts = m.attempts + 1, next_attempt_at = ${time(clock.now() + takenMs)}
          from (${due}) d where m.id = d.id
          returning m.id, m.content, m.attempts, round(extract(epoch from m.created_at) * 1000)::bigint`,
      );
      return rows.map((row) => ({
        id: textOf(row, 0),
        order: opened(keyring, textOf(row, 1), textOf(row, 0)),
        attempts: Number(textOf(row, 2)),
        createdAt: Number(textOf(row, 3)),
      }));
    },
    async reseal() {
      let count = 0;
      const rows = await controlRows(main, sql`select id, content from kith.mails order by id`);
      for (const row of rows) {
        const [id, content] = [textOf(row, 0), textOf(row, 1)];
        const order = isCurrent(keyring, content) ? undefined : opened(keyring, content, id);
        if (!order) continue;
        const anew = seal(keyring, Buffer.from(JSON.stringify(order)), placeOf(id));
        const update = sql`update kith.mails set content = ${anew} where id = ${id}::uuid and content = ${content} returning id`;
        count += (await controlRows(main, update)).length;
      }
      return count;
    },
    async done(id) {
      await controlRows(main, sql`delete from kith.mails where id = ${id}::uuid`);
    },
    async postpone(id, at) {
      await controlRows(main, sql`update kith.mails set next_attempt_at = ${time(at)} where id = ${id}::uuid`);
    },
  };
}

function opened(keyring: Keyring, content: string, id: string): MailOrder | undefined {
  try {
    return JSON.parse(open(keyring, content, placeOf(id)).toString()) as MailOrder;
  } catch {
    return undefined;
  }
}

function placeOf(id: string): string {
  return `kith.mails/${id}/content`;
}
