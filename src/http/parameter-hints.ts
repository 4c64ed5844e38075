/** What a query parameter of other services is called here. */
import { didYouMean } from '../lib/nearest.ts';

interface Habit {
  /** The parameter that does it here. */
  readonly here: string;
  readonly names: readonly string[];
  /** What else there is to know. */
  readonly how?: string;
}

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
  { here: 'search', names: ['q', 'query', 'term', 'keyword', 'keywords', 's', 'text', '$search'] },
  { here: 'fields', names: ['select', '$select', 'columns', 'only', 'properties', 'props', 'attributes'] },
  {
    here: 'fields',
    names: ['expand', '$expand', 'include', 'includes', 'embed', 'populate', 'with', 'relations'],
    how: 'which goes through a relation: fields=name,company_id.name',
  },
  { here: 'sort_by', names: ['order', 'order_by', 'orderby', '$orderby', 'ordering', 'sortby', 'sort_field'] },
  { here: 'sort_dir', names: ['direction', 'dir', 'order_dir', 'sort_order', 'sortorder', 'sort_direction'] },
  {
    here: 'filters',
    names: ['where', 'filter', '$filter', 'conditions', 'predicate'],
    how: 'with a FilterGroup as JSON, or filter_field, filter_operator and filter_value',
  },
  { here: 'group_by', names: ['group', 'groupby', '$apply'] },
  { here: 'as_of', names: ['at', 'asof', 'version', 'timestamp'] },
  { here: 'dry_run', names: ['dryrun', 'validate', 'validate_only', 'simulate', 'preview'] },
  { here: 'function', names: ['metric', 'aggregate', 'agg', 'fn', 'func', 'op', 'operation', 'measure'] },
  { here: 'format', names: ['type', 'output', 'as', '$format'] },
];

const byName = new Map(habits.flatMap((habit) => [habit.here, ...habit.names].map((name) => [name, habit] as const)));

/** A sentence's end that says which of `known` was probably meant, or nothing. */
export function parameterHint(name: string, known: readonly string[]): string {
  const habit = byName.get(name.replace(/\[.*$/, '').toLowerCase());
  if (habit) {
    const { here, how } = habit;
    if (!known.includes(here)) return '';
    return `: here it is ${here}${how === undefined ? '' : `, ${how}`}`;
  }
  const hint = didYouMean(name, known);
  if (hint !== '' || !known.includes('filters')) return hint;
  return '; a filter is filter_field=name&filter_operator=equals&filter_value=…, or filters';
}
