/** What goes wrong with views. */
import type { Mistake } from './mistake.ts';

const post = (who: string, given: object): Mistake => ({
  who,
  send: 'POST /views',
  body: { object_name: 'opportunities', name: 'Mine', ...given },
});

export const viewing: readonly Mistake[] = [
  { who: 'keeps a view of nothing', send: 'POST /views', body: { name: 'Mine' } },
  post('keeps a view of an object in the singular', { object_name: 'opportunity' }),
  post('makes a board of nothing', { layout: 'board' }),
  post('makes a kanban', { layout: 'kanban', group_by: 'pipeline' }),
  post('gives a column a title', { columns: [{ field: 'name', label: 'Deal' }] }),
  post('gives a column a width with a unit', { columns: [{ field: 'name', width: '200px' }] }),
  post('gives columns as one text', { columns: 'name,amount' }),
  post('misspells a column', { columns: [{ field: 'amuont' }] }),
  post('misspells a field deep in a filter', {
    filters: { type: 'AND', conditions: [{ type: 'OR', conditions: [{ field: 'amuont', operator: 'is_null' }] }] },
  }),
  post('sorts by a name alone', { sort: 'amount' }),
  post('sums up names in a view', { totals: 'name' }),
  post('puts the width beside the columns', { widths: { name: 120 } }),
  { who: 'asks for a view by its name', send: 'GET /views/Mine' },
  { who: 'asks for the views of an object in the singular', send: 'GET /views?object=contact' },
];
