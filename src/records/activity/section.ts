/** A section of a record's activity: items of one kind, latest first. [spec: Activity] */
import type { Call } from '../../access/call.ts';
import type { Rows } from '../../postgres/database.ts';
import type { Statement } from '../../postgres/sql.ts';
import type { Page, PageStart } from '../../query/paging.ts';
import { planPage, type Listing, type PageRequest } from '../../query/plan-page.ts';

/** The record and the requested page. */
export interface SectionRequest extends PageRequest {
  readonly objectName: string;
  readonly recordId: string;
  /** For cursors shared by a whole timeline: everything that decides its items. */
  readonly timeline: unknown;
}

/** The statements of a section, and a reader of their answers, in the same order. */
export interface SectionPlan {
  readonly statements: readonly Statement[];
  read(found: readonly Rows[]): Promise<Page>;
  readonly cursorAt: PageStart['cursorAt'];
}

/**
 * Plans a section of this kind; `filters` is, as JSON, what decides its rows besides the record. Throws
 * VALIDATION_ERROR for a cursor of another list.
 */
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
