/**
 * Organizations on their way to another datasource. What decides where one lies is its schema: at the end of a move it is
 * renamed on the old cluster in the transaction that ends all writing there. The directory only follows, and whoever finds
 * the schema gone makes it follow: nobody depends on the mover being alive.
 */
import { errors } from '../errors.ts';
import type { Database } from '../postgres/database.ts';
import { sql, statement } from '../postgres/sql.ts';
import { affinity, controlRows } from './control.ts';

interface Place {
  readonly id: string;
  readonly datasourceId: string;
}

export interface Moves {
  /** Runs `body` while no other process moves the organization; throws CONFLICT when one does. */
  aloneWith<T>(id: string, body: () => Promise<T>): Promise<T>;
  /** Notes where the organization will be when its schema is gone from where it lies now. */
  startMove(id: string, datasourceId: string): Promise<void>;
  /** The organization stays where it is. */
  cancelMove(id: string): Promise<void>;
  /** To be called by whoever did not find the organization's schema at `place`: from now on it lies where it was moved to. */
  followMove(place: Place): Promise<void>;
}

/** Any number that nothing else in the database uses. */
const moveLock = 721_546_003;

export function createMoves(main: Database, forget: (id: string) => void): Moves {
  return {
    aloneWith: (id, body) =>
      main.transaction(affinity, async (tx) => {
        await tx.script('set local idle_in_transaction_session_timeout = 0');
        const lock = sql`select pg_try_advisory_xact_lock(${moveLock}::integer, hashtext(${id}))`;
        const { rows } = await tx.run(statement(lock));
        if (rows[0]?.[0] !== 't') throw errors.conflict('This organization is being moved already');
        return body();
      }),
    async startMove(id, datasourceId) {
      const query = sql`update kith.organizations set moving_to = ${datasourceId}::uuid where id = ${id}::uuid`;
      await controlRows(main, query);
    },
    async cancelMove(id) {
      await controlRows(main, sql`update kith.organizations set moving_to = null where id = ${id}::uuid`);
    },
    async followMove({ id, datasourceId }) {
      const query = sql`update kith.organizations set datasource_id = moving_to, moving_to = null
        where id = ${id}::uuid and datasource_id = ${datasourceId}::uuid and moving_to is not null`;
      await controlRows(main, query);
      forget(id);
    },
  };
}
