/** Hints for query parameters of other services. */
import { didYouMean } from '../lib/nearest.ts';

interface Habit {
  /** The parameter of this service. */
  readonly here: string;
  readonly names: readonly string[];
  /** A remark on its use. */
  readonly how?: string;
  /** Alternative parameters, if the operation has all of them. */
  readonly orElse?: readonly string[];
}

const asked = ['term', 'keyword', 'keywords', 's', 'text', '$search'];

const habits: readonly Habit[] = [
  {
    here: 'cursor',
    names: ['page', 'offset', 'skip', 'start', 'after', 'before', 'page_token', 'pagetoken', 'starting_after', '$skip'],
    how: 'with nextCursor of the page before',
  },
  {
    here: 'limit',
    names: [
      'per_page',
      'perpage',
      'page_size',
      'pagesize',
      'take',
      'size',
      'count',
      'max',
      'max_results',
      'top',
      '$top',
      'first',
    ],
  },
  { here: 'search', names: ['q', 'query', ...asked] },
  { here: 'query', names: ['q', 'search', ...asked] },
  { here: 'offset', names: ['cursor', 'page', 'skip', 'start', '$skip'], how: 'the number of records to pass over' },
  { here: 'fields', names: ['select', '$select', 'columns', 'only', 'properties', 'props', 'attributes'] },
  {
    here: 'fields',
    names: ['expand', '$expand', 'include', 'includes', 'embed', 'populate', 'with', 'relations'],
    how: 'which goes through a relation: fields=name,company_id.name',
  },
  { here: 'sort_by', names: ['sort', 'order', 'order_by', 'orderby', '$orderby', 'ordering', 'sortby', 'sort_field'] },
  { here: 'sort_dir', names: ['direction', 'dir', 'order_dir', 'sort_order', 'sortorder', 'sort_direction'] },
  {
    here: 'filters',
    names: ['where', 'filter', '$filter', 'conditions', 'predicate'],
    how: 'with a FilterGroup as JSON',
    orElse: ['filter_field', 'filter_operator', 'filter_value'],
  },
  { here: 'object', names: ['object_name', 'objectname', 'object_type', 'objecttype', 'entity', 'resource'] },
  { here: 'group_by', names: ['group', 'groupby', '$apply'] },
  { here: 'as_of', names: ['at', 'asof', 'version', 'timestamp'] },
  { here: 'dry_run', names: ['dryrun', 'validate', 'validate_only', 'simulate', 'preview'] },
  { here: 'function', names: ['metric', 'aggregate', 'agg', 'fn', 'func', 'op', 'operation', 'measure'] },
  { here: 'mode', names: ['status', 'state'] },
  { here: 'format', names: ['type', 'output', 'as', '$format'] },
];

const byName = new Map<string, readonly Habit[]>();
for (const habit of habits)
  for (const name of [habit.here, ...habit.names]) byName.set(name, [...(byName.get(name) ?? []), habit]);

/** The end of a sentence with the parameters of `known` that were probably meant, or ''. */
export function parameterHint(name: string, known: readonly string[]): string {
  const meant = byName.get(name.replace(/\[.*$/, '').toLowerCase()) ?? [];
  const habit = meant.find(({ here }) => known.includes(here));
  if (habit) {
    const { here, how, orElse = [] } = habit;
    const others = orElse.length > 0 && orElse.every((other) => known.includes(other)) ? `, or ${listed(orElse)}` : '';
    return `: here it is ${here}${how === undefined ? '' : `, ${how}`}${others}`;
  }
  const hint = didYouMean(name, known);
  if (hint !== '' || meant.length > 0 || !known.includes('filters')) return hint;
  return known.includes('filter_field')
    ? '; a filter is filter_field=name&filter_operator=equals&filter_value=…, or filters'
    : '; a filter is filters={"type":"AND","conditions":[{"field":…,"operator":…,"value":…}]}';
}

const listed = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
