/** The records that a list or a search gives a person, in order, said again in plain JavaScript. */
import { ordered } from '../fields/oracle.ts';
import {
  asSubject,
  callersMatch,
  isHidden,
  isVisible,
  searchFinds,
  seenOf,
  subjectOf,
  type Memory,
  type Person,
  type Row,
  type View,
} from './memory.ts';
import type { ListRequest, SortKey } from './requests.ts';
import type { Thing } from './workspace.ts';

/** All of them, on whatever page. */
export function wantedRows(
  memory: Memory,
  person: Person,
  thing: Thing,
  { filters, search, sort }: ListRequest,
): Row[] {
  const rows = [...memory.rows.values()].filter(
    (row) =>
      row.thing === thing &&
      isVisible(memory, person, row) &&
      (!filters || callersMatch(memory, person, filters, row)) &&
      (search === undefined || searchFinds(memory, person, search, row)),
  );
  const usual = isHidden(memory, person, thing, 'created_at') ? 'id' : 'created_at';
  return inOrder(rows, { memory, person }, thing, sort ?? [{ field: usual, direction: 'desc' }]);
}

/** Nulls are last in both directions; ids break ties in the direction of the last key. A field counts once. */
function inOrder(rows: readonly Row[], view: View, thing: Thing, sort: readonly SortKey[]): Row[] {
  const meant = sort.map((key) => ({ ...key, field: subjectOf(thing, key.field).name }));
  const once = meant.filter((key, at) => meant.findIndex(({ field }) => field === key.field) === at);
  const direction = once.find(({ field }) => field === 'id')?.direction ?? once.at(-1)?.direction;
  const keys = [...once, { field: 'id', direction: direction ?? 'asc' }].map((key) => ({
    ...key,
    subject: asSubject(subjectOf(thing, key.field)),
  }));
  return rows.toSorted((a, b) => {
    for (const { field, direction, subject } of keys) {
      const [left, right] = [seenOf(a, field, view), seenOf(b, field, view)];
      if ((left === null) !== (right === null)) return left === null ? 1 : -1;
      const order = left === null ? 0 : ordered(subject, left, right);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return 0;
  });
}
