/** In whose name a query runs. Nothing in this folder reads or writes anything: requests become plans, plans become SQL. */
import type { FilterGroup, Model } from '../model/model.ts';
import type { Sql } from '../postgres/sql.ts';

/** What a caller may see. `access/` makes it from a role; there is no default, so no plan can be made without one. */
export interface Visibility {
  /** The rows of an object: all, none, or those that match (`$me` is already the caller's id). */
  rows(objectName: string): 'all' | 'none' | FilterGroup;
  /** Whether a field may be seen, and so filtered, sorted, searched and exported; of a computed one, whether all its inputs may. */
  shows(objectName: string, fieldName: string): boolean;
}

export interface QueryContext {
  readonly model: Model;
  readonly visibility: Visibility;
  /** The caller's workspace user id. */
  readonly me: string;
  /** Who is told of it, where that is not the caller: what objects hide from that person by their own conditions is left out too. */
  readonly toldTo?: string;
  /** Called when what is compiled holds for this caller alone, whoever else has the same visibility. */
  readonly forMeAlone?: () => void;
  /** Bytes of records that an answer may have, where that is less than usual. */
  readonly mostBytes?: number;
  /** Set where a role's rule is compiled. */
  readonly isRule?: true;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name: the organization's, or the request's own. */
  readonly timeZone: string;
  /** What stands for link tables, by the id of the MANY_TO_MANY: for a record as it was. */
  readonly linkTables?: ReadonlyMap<string, Sql>;
}

export interface Instead {
  readonly visibility?: Visibility;
  readonly isRule?: true;
  readonly forMeAlone?: () => void;
  readonly now?: () => number;
  readonly timeZone?: () => string;
}

/** The same context but for what is given. The time is read when it is asked for, no sooner: so it can be seen whether it was. */
export function contextWith(context: QueryContext, instead: Instead): QueryContext {
  const { model, visibility, me, toldTo, linkTables, isRule = instead.isRule } = context;
  const { forMeAlone = context.forMeAlone } = instead;
  return {
    model,
    visibility: instead.visibility ?? visibility,
    ...(linkTables && { linkTables }),
    me,
    ...(toldTo !== undefined && { toldTo }),
    ...(forMeAlone && { forMeAlone }),
    ...(isRule && { isRule }),
    get now() {
      return instead.now ? instead.now() : context.now;
    },
    get timeZone() {
      return instead.timeZone ? instead.timeZone() : context.timeZone;
    },
  };
}
