/**
 * Organizations on their way to another datasource. What decides where one lies is its schema: at the end of a move it is
 * renamed on the old cluster in the transaction that ends all writing there. The directory only follows, and whoever finds
 * the schema gone makes it follow: nobody depends on the mover being alive.
 */
import { errors } from '../errors.ts';
import type { Database } from '../postgres/database.ts';
import { sql, statement, type Sql } from '../postgres/sql.ts';
import { affinity, controlRows, textOf } from './control.ts';
import { wakeAll } from './due.ts';

interface Place {
  readonly id: string;
  readonly datasourceId: string;
}

/** What the directory has about where an organization lies. */
export interface OrganizationPlace extends Place {
  readonly name: string;
  readonly schema: string;
  /** False while it is being made. */
  readonly isActive: boolean;
  /** The datasource that a move, which may have been broken off, brings it to. */
  readonly movingTo: string | undefined;
}

export interface Moves {
  /** Of every organization, oldest first; as it is now. */
  places(): Promise<readonly OrganizationPlace[]>;
  /** Runs `body` while no other process moves, restores or deletes the organization; throws CONFLICT when one does. */
  aloneWith<T>(id: string, body: () => Promise<T>): Promise<T>;
  /** Whether somebody is in `aloneWith` for it. */
  isBusy(id: string): Promise<boolean>;
  /** Notes where the organization will be when its schema is gone from where it lies now. */
  startMove(id: string, datasourceId: string): Promise<void>;
  /** The organization stays where it is. */
  cancelMove(id: string): Promise<void>;
  /** To be called by whoever did not find the organization's schema at `place`: from now on it lies where it was moved to. */
  followMove(place: Place): Promise<void>;
}

/** Any number that nothing else in the database uses. */
const moveLock = 721_546_003;

/** Moves as the directory sees them; `forget` has an organization looked up anew. */
export function createMoves(main: Database, forget: (id: string) => void): Moves {
  return {
    async places() {
      const query = sql`select id, datasource_id, name, schema_name, state = 'active', moving_to
        from kith.organizations order by created_at, id`;
      return (await controlRows(main, query)).map((row) => ({
        id: textOf(row, 0),
        datasourceId: textOf(row, 1),
        name: textOf(row, 2),
        schema: textOf(row, 3),
        isActive: row[4] === 't',
        movingTo: row[5] ?? undefined,
      }));
    },
    aloneWith: (id, body) =>
      main.transaction(affinity, async (tx) => {
        await tx.script('set local idle_in_transaction_session_timeout = 0');
        const { rows } = await tx.run(statement(lockOf(id)));
        if (rows[0]?.[0] !== 't')
          throw errors.conflict('This organization is being moved, restored or deleted already');
        return body();
      }),
    async isBusy(id) {
      const { rows } = await main.run(affinity, statement(lockOf(id)));
      return rows[0]?.[0] !== 't';
    },
    async startMove(id, datasourceId) {
      const query = sql`update kith.organizations set moving_to = ${datasourceId}::uuid where id = ${id}::uuid`;
      await controlRows(main, query);
    },
    async cancelMove(id) {
      await controlRows(main, sql`update kith.organizations set moving_to = null where id = ${id}::uuid`);
    },
    async followMove({ id, datasourceId }) {
      // Where a worker was at a job, another goes on with it over there.
      const query = sql`with moved as (update kith.organizations set datasource_id = moving_to, moving_to = null
          where id = ${id}::uuid and datasource_id = ${datasourceId}::uuid and moving_to is not null returning id, created_at)
        ${wakeAll(sql`select id, created_at from moved`)}`;
      await controlRows(main, query);
      forget(id);
    },
  };
}

/** True for one transaction at a time. */
function lockOf(id: string): Sql {
  return sql`select pg_try_advisory_xact_lock(${moveLock}::integer, hashtext(${id}))`;
}

/** What is left of an organization that moved away lies under this name until it is dropped. */
export function retiredName(schema: string): string {
  return schema.replace('org_', 'moved_');
}
