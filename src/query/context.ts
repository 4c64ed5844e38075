/** The context in which a query runs. This folder does no I/O: requests become plans, plans become SQL. */
import type { FilterGroup, Model } from '../model/model.ts';
import type { Sql } from '../postgres/sql.ts';

/** What a caller may see, derived from a role by `access/`; there is no default, so no plan can be made without one. */
export interface Visibility {
  /** The visible rows of an object: all, none, or those that match (`$me` is already the caller's id). */
  rows(objectName: string): 'all' | 'none' | FilterGroup;
  /**
   * Whether a field may be read, filtered, sorted, searched and exported; for a computed field, whether all its
   * inputs may.
   */
  shows(objectName: string, fieldName: string): boolean;
}

export interface QueryContext {
  readonly model: Model;
  readonly visibility: Visibility;
  /** The caller's workspace user id. */
  readonly me: string;
  /** Recipient, if not the caller; rows hidden from the recipient are excluded too. */
  readonly recipient?: string;
  /** Called when the compiled SQL holds for this caller alone, even among callers with the same visibility. */
  readonly markCallerSpecific?: () => void;
  /** Limit for the bytes of records in an answer, if lower than the default. */
  readonly mostBytes?: number;
  /** Set while a role's rule is compiled. */
  readonly isRule?: true;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA time zone of the organization or the request. */
  readonly timeZone: string;
  /** Sources that replace link tables, by MANY_TO_MANY field id: for a record as of a past time. */
  readonly linkTables?: ReadonlyMap<string, Sql>;
}

export interface Instead {
  readonly visibility?: Visibility;
  readonly isRule?: true;
  readonly markCallerSpecific?: () => void;
  readonly now?: () => number;
  readonly timeZone?: () => string;
}

/** Copies the context with changes. `now` stays a getter, so that reading the time can be observed. */
export function contextWith(context: QueryContext, instead: Instead): QueryContext {
  const { model, visibility, me, recipient, linkTables, isRule = instead.isRule } = context;
  const { markCallerSpecific = context.markCallerSpecific } = instead;
  return {
    model,
    visibility: instead.visibility ?? visibility,
    ...(linkTables && { linkTables }),
    me,
    ...(recipient !== undefined && { recipient }),
    ...(markCallerSpecific && { markCallerSpecific }),
    ...(isRule && { isRule }),
    get now() {
      return instead.now ? instead.now() : context.now;
    },
    get timeZone() {
      return instead.timeZone ? instead.timeZone() : context.timeZone;
    },
  };
}
