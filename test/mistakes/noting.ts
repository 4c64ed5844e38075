/** What goes wrong with notes. */
import type { Mistake } from './mistake.ts';

const nobody = '0190f6c1-0000-7000-8000-000000000000';
const post = (who: string, body: unknown): Mistake => ({ who, send: 'POST /notes', body });

export const noting: readonly Mistake[] = [
  post('writes a note without a word', { content: '<p></p>' }),
  post('writes a note as text', { text: 'Called Ada' }),
  post('gives a note a title', { title: 'Call', content: 'Called Ada' }),
  post('makes a note public', { content: 'x', data: { visibility: 'public' } }),
  post('gives the visibility outside of data', { content: 'x', visibility: 'workspace' }),
  post('misspells the visibility', { content: 'x', data: { visiblity: 'workspace' } }),
  post('links a note to a record without its type', { content: 'x', entity_id: '{ada}' }),
  post('links a note to a type without a record', { content: 'x', entity_type: 'contacts' }),
  post('links a note to a type in the singular', { content: 'x', entity_type: 'contact', entity_id: '{ada}' }),
  post('links a note to a record by its name', { content: 'x', entity_type: 'contacts', entity_id: 'Ada King' }),
  post('links a note to a record of another object', { content: 'x', entity_type: 'companies', entity_id: '{ada}' }),
  post('links a note to an id alone', { content: 'x', linked_entities: ['{ada}'] }),
  post('mentions somebody by name', { content: 'x', mentioned_user_ids: ['Ada'] }),
  post('mentions a contact', { content: 'x', mentioned_user_ids: ['{ada}'] }),
  { who: 'asks for private notes by a parameter', send: 'GET /notes?visibility=private' },
  { who: 'asks for notes of a contact by its id alone', send: 'GET /notes?entity_id={ada}' },
  { who: 'asks for a note that there is not', send: `GET /notes/${nobody}` },
  { who: 'asks for notes as records', send: 'GET /records/notes' },
  { who: 'writes a note as a record', send: 'POST /records/notes', body: { content: 'x' } },
];
