/**
 * Organizations moving to another datasource. The schema decides where one is: at the end of a move it is renamed on
 * the old cluster, in the transaction that ends all writing there. The directory follows, updated by anyone who finds
 * the schema gone, so nothing depends on the mover being alive.
 */
import { errors } from '../errors.ts';
import type { Database } from '../postgres/database.ts';
import { sql, statement, type Sql } from '../postgres/sql.ts';
import { affinity, controlRows, textOf } from './control.ts';
import { wakeAll } from './due.ts';

interface Location {
  readonly id: string;
  readonly datasourceId: string;
}

/** The directory's data about an organization's location. */
export interface OrganizationPlace extends Location {
  readonly name: string;
  readonly schema: string;
  /** False while it is being created. */
  readonly isActive: boolean;
  /** The target datasource of a move, which may have been interrupted. */
  readonly movingTo: string | undefined;
}

export interface Moves {
  /** The locations of all organizations, oldest first; read anew. */
  places(): Promise<readonly OrganizationPlace[]>;
  /** Runs `body` while no other process moves, restores or deletes the organization; throws CONFLICT when one does. */
  aloneWith<T>(id: string, body: () => Promise<T>): Promise<T>;
  /** Whether `aloneWith` is running for it. */
  isBusy(id: string): Promise<boolean>;
  /** Records the organization's future datasource, for when its schema is gone from the current one. */
  startMove(id: string, datasourceId: string): Promise<void>;
  /** Cancels the move. */
  cancelMove(id: string): Promise<void>;
  /** Called by anyone who did not find the organization's schema at `seen`: completes the move in the directory. */
  followMove(seen: Location): Promise<void>;
}

/** Any number unused elsewhere in the database. */
const moveLock = 721_546_003;

/** Creates the directory's moves; `forget` drops an organization from the cache. */
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
      // Where a worker was running a job, another continues on the new cluster.
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

/** The name of a moved organization's old schema until it is dropped. */
export function retiredName(schema: string): string {
  return schema.replace('org_', 'moved_');
}
