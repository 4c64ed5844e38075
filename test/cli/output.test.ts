import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/cli/output.ts';
import { progressLine } from '../../src/cli/progress.ts';

describe('textOf', () => {
  const list = {
    organizations: [
      { id: '1', name: 'Acme' },
      { id: '22', name: 'Globex\tInc' },
    ],
  };
  const scenarios: [name: string, value: object, width: number | undefined, text: string][] = [
    ['a list on a terminal', list, 80, 'id  name\n1   Acme\n22  Globex Inc\n'],
    ['a list elsewhere', list, undefined, 'id\tname\n1\tAcme\n22\tGlobex Inc\n'],
    ['an empty list', { organizations: [] }, 80, ''],
    [
      'one thing on a terminal',
      { id: '1', is_active: false, scopes: ['a', 'b'], expires_at: null },
      80,
      'id          1\nis_active   false\nscopes      a, b\nexpires_at\n',
    ],
    [
      'a list on a narrow terminal',
      {
        rows: [
          {
            id: '0123456789',
            name: 'Acme Holdings International',
            note: 'short',
            more: 'much longer than there is room',
          },
        ],
      },
      41,
      'id          name        note   more\n0123456789  Acme Hold…  short  much long…\n',
    ],
    [
      'a list on a terminal that is too narrow for all columns',
      { rows: [{ id: '0123456789', name: 'Acme Holdings', note: 'long enough, too' }] },
      24,
      'id          name\n0123456789  Acme Holdin…\n',
    ],
    ['one thing on a narrow terminal', { token: 'svc_'.padEnd(60, 'x') }, 40, `token  ${'svc_'.padEnd(60, 'x')}\n`],
    ['one thing elsewhere', { id: '1', n: 2 }, undefined, 'id\t1\nn\t2\n'],
  ];
  for (const [name, value, width, text] of scenarios) it(name, () => expect(textOf(value, width)).toBe(text));
});

describe('progressLine', () => {
  const scenarios: [rows: number, share: number | undefined, seconds: number, line: string][] = [
    [12_000, 0.25, 3, '[######------------------]  25 %  12,000 rows  4,000/s'],
    [0, 0, 0, '[------------------------]   0 %  0 rows  0/s'],
    [5, 1.2, 1, '[########################] 100 %  5 rows  5/s'],
    [7, undefined, 2, '7 rows  4/s'],
    [1, undefined, 1, '1 row  1/s'],
  ];
  for (const [rows, share, seconds, line] of scenarios)
    it(line, () => expect(progressLine(rows, share, seconds)).toBe(line));
});
