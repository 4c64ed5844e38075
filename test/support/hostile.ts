/** Text that breaks careless programs. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../../shared/data/strings/blns.json', import.meta.url));

/** The Big List of Naughty Strings; undefined where the file is not there. */
export function naughtyStrings(): readonly string[] | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : undefined;
}

/** Names that no object, field or id has. All of them are legal text. */
export const hostileNames: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  "'; drop table contacts; --",
  '"; select 1; --',
  '$1',
  '\\',
  '%',
  '_',
  '%s%n',
  '../../etc/passwd',
  '*',
  'first_name; delete',
  'first_name--',
  'FIRST_NAME',
  'first_name ',
  'search_text',
  'search_parts',
  'deleted_at',
  'ctid',
  'xmin',
  'pipeline__currency',
  'company_id.company_id.company_id',
  'company_id.__proto__',
  'company_id.',
  '.name',
  'first_name,last_name',
  '\u{1F600}',
  '\u202Eright-to-left',
  '\uFEFF',
  '\u0001\u001F\u007F',
  'a\nb\r\nc',
  'ﬁ İ ı ſ ß',
  '00000000-0000-0000-0000-000000000000',
  'null',
  'NaN',
  'x'.repeat(10_000),
];
