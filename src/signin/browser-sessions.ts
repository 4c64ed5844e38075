/**
 * Browser sessions in the control schema: the person, and the current organization. The browser has the secret of a row;
 * signing out ends the row at once for all processes.
 */
import { affinity, controlRows, textOf } from '../directory/control.ts';
import { newId } from '../lib/id.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { messageForLog } from '../lib/thrown.ts';
import type { Database, Row } from '../postgres/database.ts';
import { sql, statement, type Sql } from '../postgres/sql.ts';
import { time } from './links.ts';
import { hashOf, newSecret } from './secret-text.ts';

export interface BrowserSession {
  readonly id: string;
  readonly personId: string;
  /** The current organization; undefined until one of several is chosen. */
  readonly place: Workplace | undefined;
}

/** An organization, and the person's user in it. */
export interface Workplace {
  readonly organizationId: string;
  readonly workspaceUserId: string;
}

export interface BrowserSessions {
  /** Starts a session; returns the secret for the browser. */
  begin(personId: string, place: Workplace | undefined): Promise<string>;
  /** The session of a secret, if it is valid. */
  find(secret: string): Promise<BrowserSession | undefined>;
  /** The session with that id, if it is valid. */
  byId(id: string): Promise<BrowserSession | undefined>;
  choose(id: string, place: Workplace): Promise<void>;
  end(id: string): Promise<void>;
  /** Ends all sessions of the person, on all devices. */
  endAll(personId: string): Promise<void>;
  /** Removes expired sessions. */
  forget(): Promise<void>;
}

/** The longest lifetime, whether used or not, and the longest without use. */
export const longestMs = 30 * dayMs;
const idleMs = 14 * dayMs;
/** The interval at which use is recorded. */
const noteMs = 5 * 60_000;

/** Makes the sessions in the control schema on `main`. */
export function createBrowserSessions(main: Database, clock: Clock, log: Pick<Log, 'warn'>): BrowserSessions {
  const good = () => sql`revoked_at is null and expires_at > ${time(clock.now())}
    and last_used_at > ${time(clock.now() - idleMs)}`;
  async function read(which: Sql): Promise<BrowserSession | undefined> {
    const query = sql`select ${columns} from kith.sessions where ${which} and ${good()}`;
    const [found] = await main.read(affinity, [statement(query, 'browser-session')]);
    const row = found?.rows[0];
    if (!row) return undefined;
    const session = readSession(row);
    // Not awaited.
    if (clock.now() - Number(textOf(row, 4)) > noteMs) void note(session.id);
    return session;
  }
  async function note(id: string): Promise<void> {
    const query = sql`update kith.sessions set last_used_at = ${time(clock.now())} where id = ${id}::uuid`;
    await controlRows(main, query).catch((error: unknown) => {
      log.warn({ reason: messageForLog(error) }, 'The last use of a session could not be noted');
    });
  }
  const end = (which: Sql) =>
    controlRows(
      main,
      sql`update kith.sessions set revoked_at = ${time(clock.now())} where ${which} and revoked_at is null`,
    );
  return {
    async begin(personId, place) {
      const secret = newSecret();
      const now = time(clock.now());
      await controlRows(
        main,
        sql`insert into kith.sessions
            (id, hash, person_id, organization_id, workspace_user_id, created_at, last_used_at, expires_at)
          values (${newId()}::uuid, ${hashOf(secret)}, ${personId}::uuid, ${place?.organizationId ?? null}::uuid,
            ${place?.workspaceUserId ?? null}::uuid, ${now}, ${now}, ${time(clock.now() + longestMs)})`,
      );
      return secret;
    },
    find: (secret) => read(sql`hash = ${hashOf(secret)}`),
    byId: (id) => read(sql`id = ${id}::uuid`),
    async choose(id, { organizationId, workspaceUserId }) {
      await controlRows(
        main,
        sql`update kith.sessions set organization_id = ${organizationId}::uuid,
          workspace_user_id = ${workspaceUserId}::uuid where id = ${id}::uuid`,
      );
    },
    end: async (id) => void (await end(sql`id = ${id}::uuid`)),
    endAll: async (personId) => void (await end(sql`person_id = ${personId}::uuid`)),
    async forget() {
      const over = clock.now();
      await controlRows(
        main,
        sql`delete from kith.sessions where expires_at < ${time(over)} or last_used_at < ${time(over - idleMs)}
          or revoked_at < ${time(over - dayMs)}`,
      );
    },
  };
}

const columns = sql`id, person_id, organization_id, workspace_user_id, round(extract(epoch from last_used_at) * 1000)::bigint`;

function readSession(row: Row): BrowserSession {
  const [, , organizationId, workspaceUserId] = row;
  return {
    id: textOf(row, 0),
    personId: textOf(row, 1),
    place: organizationId && workspaceUserId ? { organizationId, workspaceUserId } : undefined,
  };
}
