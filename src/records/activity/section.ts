/** A section of a record's activity: what there is of one kind, latest first. [spec: Activity] */
import type { Call } from '../../access/call.ts';
import type { Rows } from '../../postgres/database.ts';
import { empty, trusted, type Statement } from '../../postgres/sql.ts';
import type { Ordering } from '../../query/order.ts';
import type { Page, PageStart } from '../../query/paging.ts';
import { planPage, type Listing, type PageRequest } from '../../query/plan-page.ts';

/** The record that the activity is about, and what is asked of it. */
export interface SectionRequest extends PageRequest {
  readonly objectName: string;
  readonly recordId: string;
  /** Where its cursors are those of a whole timeline: all that decides what that has. */
  readonly timeline: unknown;
}

/** What is read for a section, and how it is made of what comes back, in that order. */
export interface SectionPlan {
  readonly statements: readonly Statement[];
  read(found: readonly Rows[]): Promise<Page>;
  readonly cursorAt: PageStart['cursorAt'];
}

/** Rows in the order of a time, the latest first. */
export function latestBy(time: string): Ordering {
  return {
    keys: [{ value: trusted(time), type: 'timestamptz', nullable: false, direction: 'desc' }],
    direction: 'desc',
    beside: empty,
    isCostly: false,
  };
}

/** Plans a section of this kind; `filters` is, as JSON, what decides its rows beside the record. Throws VALIDATION_ERROR for a cursor of another. */
export function planSection(
  call: Call,
  kind: string,
  listing: Omit<Listing, 'identity'>,
  { objectName, recordId, timeline, ...page }: SectionRequest,
  filters: unknown,
): ReturnType<typeof planPage> {
  const identity = timeline
    ? ['timeline', objectName, recordId, timeline]
    : ['activity', kind, objectName, recordId, filters];
  return planPage(call, { ...listing, identity }, page);
}
