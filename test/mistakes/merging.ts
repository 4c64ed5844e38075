/** What goes wrong with duplicates. */
import type { Mistake } from './mistake.ts';

const nobody = '0190f6c1-0000-7000-8000-000000000000';
const post = (who: string, body: unknown): Mistake => ({ who, send: 'POST /duplicates', body });
const merge = (who: string, body: object) =>
  post(who, { action: 'merge', object_name: 'contacts', master_id: '{ada}', duplicate_ids: ['{bob}'], ...body });

export const merging: readonly Mistake[] = [
  post('looks for duplicates of nothing', {}),
  post('names the object as in paths', { object: 'contacts' }),
  post('looks for duplicates among tasks', { object_name: 'tasks' }),
  post('looks for duplicates in the singular', { object_name: 'contact' }),
  post('compares by a field that there is not', { object_name: 'contacts', fields: ['email'] }),
  post('compares by long texts', { object_name: 'companies', fields: ['description'] }),
  post('names the compared fields in one text', { object_name: 'contacts', fields: 'emails,phones' }),
  { ...post('looks for duplicates without being an admin', { object_name: 'contacts' }), as: 'rep' },
  merge('merges without a master', { master_id: '' }),
  merge('merges nothing', { duplicate_ids: [] }),
  merge('names a duplicate without a list', { duplicate_ids: '{bob}' }),
  merge('merges a record into itself', { duplicate_ids: ['{ada}'] }),
  merge('merges a record of another object', { duplicate_ids: ['{globex}'] }),
  merge('merges what is named by its name', { duplicate_ids: ['Bob Lee'] }),
  merge('merges into a record that there is not', { master_id: nobody }),
  merge('fills blanks of a record that there is not', { master_id: nobody, merge_strategy: 'fill_blanks' }),
  merge('gives null for the duplicates', { duplicate_ids: null }),
  merge('makes up a strategy', { merge_strategy: 'newest' }),
  merge('chooses a value by itself', { values: { job_title: 'Engineer' } }),
  merge('chooses among sets', { values: { emails: '{bob}' } }),
  post('takes a merge back that there was not', {
    action: 'unmerge',
    object_name: 'contacts',
    duplicate_ids: ['{bob}'],
  }),
  { who: 'follows somewhere else', send: 'GET /records/contacts/{ada}?follow=true' },
];
