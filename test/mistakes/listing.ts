/** Mistakes with lists of records. */
import type { Mistake } from './mistake.ts';

const make = (who: string, body: object): Mistake => ({
  who,
  send: 'POST /lists',
  body: { name: 'Fair', object_types: ['companies'], ...body },
});
const add = (who: string, body: object, as?: 'rep'): Mistake => ({
  who,
  send: 'POST /lists/{fair}/entries',
  body: { object_type: 'companies', ...body },
  ...(as && { as }),
});

export const listing: readonly Mistake[] = [
  make('makes a list of one company', { object_types: ['company'] }),
  { who: 'makes a list of nothing', send: 'POST /lists', body: { name: 'Fair' } },
  { who: 'calls the objects otherwise', send: 'POST /lists', body: { name: 'Fair', object_type: 'companies' } },
  make('makes a list of tasks', { object_types: ['tasks'] }),
  make('gives a field a type of another service', { fields: [{ name: 'stage', type: 'dropdown' }] }),
  make('gives a choice nothing to choose', { fields: [{ name: 'stage', type: 'SELECT' }] }),
  make('keeps a relation', { fields: [{ name: 'company', type: 'RELATION' }] }),
  make('writes a label as a name', { fields: [{ name: 'Next call', type: 'DATE' }] }),
  { who: 'makes a list as a rep', send: 'POST /lists', body: { name: 'Fair', object_types: ['companies'] }, as: 'rep' },
  { who: 'deletes a list as a rep', send: 'DELETE /lists/{fair}', as: 'rep' },
  { who: 'looks for a list by its name', send: 'GET /lists/Fair' },
  { who: 'filters lists as records', send: 'GET /lists?name=Fair' },
  add('adds a record of another object', { object_type: 'contacts', record_id: '{ada}' }),
  add('adds without saying of what', { object_type: undefined, record_id: '{globex}' }),
  add('adds nobody', {}),
  add('calls the record its id', { id: '{globex}' }),
  add('calls the values otherwise', { record_id: '{globex}', fields: { stage: 'invited' } }),
  add('gives a stage that is none', { record_id: '{globex}', entry_fields: { stage: 'invitd' } }),
  add('gives a field that is none', { record_id: '{globex}', entry_fields: { stages: 'invited' } }),
  {
    who: 'changes an entry by the id of its record',
    send: 'PUT /lists/{fair}/entries/{globex}',
    body: { entry_fields: {} },
  },
  { who: 'takes off in the address', send: 'DELETE /lists/{fair}/entries?record_id={globex}' },
  { who: 'takes a field away that is in use', send: 'PUT /lists/{fair}', body: { fields: [] } },
  { who: 'takes an object away that is in use', send: 'PUT /lists/{fair}', body: { object_types: ['contacts'] } },
];
