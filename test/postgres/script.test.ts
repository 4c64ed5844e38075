/** Scripts that a server takes one statement at a time. */
import { expect, it } from 'vitest';
import { oneByOne, statementsOf } from '../../src/postgres/script.ts';

it.each<[string, readonly string[]]>([
  ['', []],
  [' ; ;\n', []],
  ['select 1', ['select 1']],
  ['select 1;\nselect 2;', ['select 1', 'select 2']],
  [`select ';', 'it''s; so'; select 2`, [`select ';', 'it''s; so'`, 'select 2']],
  ['drop table "a;""b"; select 2', ['drop table "a;""b"', 'select 2']],
  ['do $$ begin select 1; end $$; select $1', ['do $$ begin select 1; end $$', 'select $1']],
])('%j has the statements %j', (script, statements) => {
  expect(statementsOf(script)).toEqual(statements);
});

it('sends them one after the other', async () => {
  const sent: string[] = [];
  const tx = {
    run: () => Promise.reject(new Error('not asked')),
    script: async (text: string) => void sent.push(text),
    copyOut: () => Promise.reject(new Error('not asked')),
    copyIn: () => Promise.reject(new Error('not asked')),
  };
  await oneByOne(tx).script('a; b');
  expect(sent).toEqual(['a', 'b']);
});
