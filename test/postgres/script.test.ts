/** Scripts as the statements that they are. */
import { expect, it } from 'vitest';
import { statementsOf } from '../../src/postgres/script.ts';

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
