/**
 * When each organization's jobs are to be looked at next: the wake-ups. The jobs themselves are rows of the organization; what
 * stands here may be too early, which costs one look, and is late only where a process died between two statements.
 */
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../postgres/database.ts';
import { instant, sql, statement, type Sql } from '../postgres/sql.ts';
import { affinity, controlRows, textOf } from './control.ts';

/** Nothing is planned further ahead, in milliseconds: what is, was planned by a clock that was wrong, and is due now. */
export const furthestMs = 8 * 86_400_000;

/** An organization whose jobs this process looks at. */
export interface Taken {
  readonly organizationId: string;
  /** Holds until somebody wakes it anew. */
  readonly mark: string;
}

export interface Dues {
  /** Organizations to look at by now, the longest waiting first: one cheap statement, however many organizations there are. */
  dueOrganizations(most: number, except: readonly string[]): Promise<readonly string[]>;
  /** Those of `ids` that no other process takes; who takes one and dies leaves it to others after `takenMs`. */
  takeDue(ids: readonly string[]): Promise<readonly Taken[]>;
  /** The next look is at `next` (milliseconds), unless the organization was woken since it was taken. */
  settleDue(taken: Taken, next: number): Promise<void>;
  /** Has the organization looked at no later than `at`. */
  wake(id: string, at: number): Promise<void>;
  /**
   * To be called before a transaction that asks for a job: should the process die between its commit and `wake`, the
   * organization is looked at soon all the same.
   */
  announce(id: string): Promise<void>;
  /** Wakes every organization that has no wake-up, or one beyond `furthestMs`; their number. */
  wakeForgotten(): Promise<number>;
}

/** Longer than a look takes. */
const takenMs = 30_000;
/** How often an organization is looked at that is watched, and for how long it is after somebody announced a job. */
const lookMs = 60_000;
const watchedMs = 600_000;
/** Organizations that this process remembers to have announced. */
const mostAnnounced = 10_000;

/** When to look at the jobs of organizations, in the table that all processes share. */
export function createDues(main: Database, clock: Clock): Dues {
  const announced = new Map<string, number>();
  const wake = async (id: string, at: number, watchedUntil: number | null): Promise<void> => {
    const wanted = sql`select id, ${instant(at)}, ${watchedUntil === null ? sql`null` : instant(watchedUntil)}
      from kith.organizations where id = ${id}::uuid and state = 'active'`;
    await controlRows(
      main,
      sql`insert into kith.due as d (organization_id, run_at, watched_until) ${wanted}
        on conflict (organization_id) do update set run_at = least(d.run_at, excluded.run_at),
          watched_until = greatest(d.watched_until, excluded.watched_until)`,
    );
  };
  return {
    async dueOrganizations(most, except) {
      const query = sql`select organization_id from kith.due
        where run_at <= ${instant(clock.now())} and organization_id <> all(${except}::uuid[])
        order by run_at limit ${most}::integer`;
      const [due] = await main.read(affinity, [statement(query, 'due')]);
      return (due?.rows ?? []).map((row) => textOf(row, 0));
    },
    async takeDue(ids) {
      const now = clock.now();
      // In one order, and none that another process has at this moment.
      const free = sql`select organization_id from kith.due
        where organization_id = any(${ids}::uuid[]) and run_at <= ${instant(now)} order by organization_id for update skip locked`;
      const rows = await controlRows(
        main,
        sql`update kith.due d set run_at = ${instant(now + takenMs)} from (${free}) f
          where d.organization_id = f.organization_id returning d.organization_id, d.run_at`,
      );
      return rows.map((row) => ({ organizationId: textOf(row, 0), mark: textOf(row, 1) }));
    },
    async settleDue({ organizationId, mark }, next) {
      const watched = instant(Math.min(next, clock.now() + lookMs));
      await controlRows(
        main,
        sql`update kith.due set run_at = case when watched_until > ${instant(clock.now())} then ${watched} else ${instant(next)} end
          where organization_id = ${organizationId}::uuid and run_at = ${mark}::timestamptz`,
      );
    },
    wake: (id, at) => wake(id, at, null),
    async announce(id) {
      const now = clock.now();
      if (now < (announced.get(id) ?? 0)) return;
      await wake(id, now + lookMs, now + watchedMs);
      if (announced.size >= mostAnnounced) announced.clear();
      announced.set(id, now + watchedMs / 2);
    },
    async wakeForgotten() {
      const forgotten = sql`select o.id, ${instant(clock.now())} from kith.organizations o
        where o.state = 'active'
          and not exists (select from kith.due d where d.organization_id = o.id and d.run_at <= ${instant(clock.now() + furthestMs)})`;
      return (await main.run(affinity, statement(wakeAll(forgotten)))).count;
    },
  };
}

/** Statement that wakes what `organizations` selects: ids and times. */
export function wakeAll(organizations: Sql): Sql {
  return sql`insert into kith.due as d (organization_id, run_at) ${organizations}
    on conflict (organization_id) do update set run_at = least(d.run_at, excluded.run_at)`;
}
