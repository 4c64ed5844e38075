/**
 * The wake-ups: when each organization's jobs are to be checked. The jobs themselves are rows of the organization. A
 * wake-up may be early, which costs one check; it is late only where a process died between two statements.
 */
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/durations.ts';
import type { Database } from '../postgres/database.ts';
import { instant, sql, statement, type Sql } from '../postgres/sql.ts';
import { affinity, controlRows, textOf } from './control.ts';

/** The furthest wake-up, in milliseconds: a later one came from a wrong clock, and is due now. */
export const furthestMs = 8 * dayMs;

/** An organization whose jobs this process checks. */
export interface TakenOrganization {
  readonly organizationId: string;
  /** Identifies the wake-up; changes when the organization is woken again. */
  readonly mark: string;
}

export interface Dues {
  /** Due organizations, longest waiting first: one cheap statement, however many organizations there are. */
  dueOrganizations(most: number, except: readonly string[]): Promise<readonly string[]>;
  /** Takes those of `ids` that no other process has; after `takenMs` a dead process's are free again. */
  takeDue(ids: readonly string[]): Promise<readonly TakenOrganization[]>;
  /** Sets the next check to `next` (milliseconds), unless the organization was woken since it was taken. */
  settleDue(taken: TakenOrganization, next: number): Promise<void>;
  /** Has the organization checked no later than `at`. */
  wake(id: string, at: number): Promise<void>;
  /**
   * Call before a transaction that requests a job: if the process dies between commit and `wake`, the organization is
   * still checked soon.
   */
  announce(id: string): Promise<void>;
  /** Wakes organizations without a wake-up, or with one beyond `furthestMs`; returns their number. */
  wakeForgotten(): Promise<number>;
}

/** Longer than a check takes. */
const takenMs = 30_000;
/** How often an announced organization is checked, and for how long after the announcement. */
const lookMs = 60_000;
const watchedMs = 600_000;
/** Announced organizations remembered by this process. */
const mostAnnounced = 10_000;

/** The wake-ups of organizations, in the table that all processes share. */
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
      // In a fixed order, skipping rows that another process is locking.
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

/** Wakes the organizations that the query selects, with their times. */
export function wakeAll(organizations: Sql): Sql {
  return sql`insert into kith.due as d (organization_id, run_at) ${organizations}
    on conflict (organization_id) do update set run_at = least(d.run_at, excluded.run_at)`;
}
