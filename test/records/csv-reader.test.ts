import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/records/csv/writer.ts';
import { cellsOfBytes, rowsOf } from './csv-files.ts';

const shared = new URL('../../../shared/data/', import.meta.url);
const absent = 'the shared data is not beside the project';

describe('readCsv', () => {
  const scenarios: [name: string, text: string, cells: string[][]][] = [
    [
      'plain rows',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR alone',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a header that ends in LF above rows that end in CRLF',
      'a,b\n"1","2"\r\n"3","4"\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'quotes, commas and line ends in cells',
      'a,b\n"x,""y""","l1\nl2"\n',
      [
        ['a', 'b'],
        ['x,"y"', 'l1\nl2'],
      ],
    ],
    [
      'CRLF in a cell of a CRLF file',
      'a,b\r\n"l1\r\nl2",2\r\n',
      [
        ['a', 'b'],
        ['l1\r\nl2', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'two columns and a blank line at the end',
      'a;b\n1;2\n3;4\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'blank rows between',
      'a,b\n\n , \n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['one column', 'name\nx\ny\n', [['name'], ['x'], ['y']]],
    [
      'guarded cells',
      "a,b\n'=1+1,'text'\n",
      [
        ['a', 'b'],
        ['=1+1', "'text'"],
      ],
    ],
    ['nothing', '', []],
  ];
  for (const [name, text, cells] of scenarios) {
    it(`reads ${name}`, async () => {
      const rows = await rowsOf(text);
      expect(rows.map((row) => row.cells)).toEqual(cells);
      expect(rows.every((row) => row.problem === undefined)).toBe(true);
    });
  }

  it('gives the same rows wherever the text is cut, once the head was enough to guess from', async () => {
    const head = 'a,b\r\n1,2\r\n';
    const text = `${head}"x ""q"" y","l1\r\nl2"\r\n,3\r\n"",""""\r\n`;
    const whole = await rowsOf(text);
    for (let size = head.length; size < text.length; size++) expect(await rowsOf(text, size)).toEqual(whole);
    expect(whole.map((row) => row.cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['x "q" y', 'l1\r\nl2'],
      ['', '3'],
      ['', '"'],
    ]);
  });

  it('the same in a file of both line ends', async () => {
    const head = 'a,b\n1,2\n';
    const text = `${head}"${'x'.repeat(50)}",l1\r\n3,"4"\r\n5,6\r\n`;
    const whole = await rowsOf(text);
    for (let size = head.length; size < text.length; size++) expect(await rowsOf(text, size)).toEqual(whole);
    expect(whole.slice(2).map((row) => row.cells[1])).toEqual(['l1', '4', '6']);
  });

  it('hands a row on with what is wrong in it, and reads on', async () => {
    const rows = await rowsOf('a,b\n1,"x"y"\n3,4\n');
    expect(rows[1]?.problem).toMatch(/not doubled/);
    expect(rows.at(-1)).toEqual({ cells: ['3', '4'] });
  });

  it('names a quote that is never closed', async () => {
    const rows = await rowsOf('a,b\n1,2\n3,"x\n5,6\n');
    expect(rows.map((row) => row.problem)).toEqual([undefined, undefined, 'a quote is opened and never closed']);
  });

  it('gives up on a row of more than 16 MB', async () => {
    const text = `a,b\n1,"${'x\n'.repeat(9 * 1024 * 1024)}`;
    await expect(rowsOf(text, 4 * 1024 * 1024)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('reads back what csvLine writes, whatever it is', async () => {
    // The guesses need a look at ordinary rows; a cell of nothing but space makes no row.
    const cell = fc.string({
      unit: fc.constantFrom('a', '=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r', '\n', ' ', '5', 'é', '\u3042'),
    });
    const header = csvLine(['one', 'two', 'three']) + csvLine(['1', '2', '3']).repeat(12);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, fc.constant('end')), { maxLength: 5 }), async (rows) => {
        const read = await rowsOf(header + rows.map(csvLine).join(''));
        expect(read.slice(13)).toEqual(rows.map((cells) => ({ cells })));
      }),
      { numRuns: 500 },
    );
  });
});

describe('files of other programs', () => {
  const spectrum = new URL('csv-edge/csv-spectrum/', shared);
  it('reads csv-spectrum as it expects', async (context) => {
    context.skip(!existsSync(spectrum), absent);
    const names = readdirSync(new URL('csvs/', spectrum));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const [header = [], ...rows] = await cellsOfBytes(readFileSync(new URL(`csvs/${name}`, spectrum)));
      const records = rows.map((cells) => Object.fromEntries(header.map((key, at) => [key, cells[at] ?? ''])));
      const expected = readFileSync(new URL(`json/${name.replace('.csv', '.json')}`, spectrum), 'utf8');
      // The collection lost the CRs of this file and not those of what it expects of it.
      const text = name === 'newlines_crlf.csv' ? expected.replaceAll(String.raw`\r\n`, String.raw`\n`) : expected;
      expect(records, name).toEqual(JSON.parse(text));
    }
  });

  const files: [path: string, rows: number, columns: number, cell: string][] = [
    ['exports/google-contacts.csv', 121, 36, '明杰'],
    ['exports/hubspot-contacts.csv', 121, 15, 'Věroslava'],
    ['exports/outlook-contacts-cp1252.csv', 81, 26, 'first line\r\nsecond line'],
    ['csv-edge/csvkit/test_utf16_big.csv', 3, 3, 'ʤ'],
    ['csv-edge/csvkit/test_utf16_little.csv', 3, 3, 'ʤ'],
    ['csv-edge/csvkit/test_utf8_bom.csv', 3, 3, 'foo'],
    ['csv-edge/csvkit/test_latin1.csv', 3, 3, '©'],
    ['csv-edge/csvkit/mac_newlines.csv', 3, 3, 'Once upon\ra time'],
    ['csv-edge/tabulator/accent.csv', 3, 17, 'accessibilité'],
    ['csv-edge/tabulator/bom.csv', 3, 2, 'id'],
  ];
  for (const [path, rows, columns, cell] of files) {
    it(`reads ${path}`, async (context) => {
      const file = new URL(path, shared);
      context.skip(!existsSync(file), absent);
      const cells = await cellsOfBytes(readFileSync(file));
      expect(cells.length).toBe(rows);
      expect(new Set(cells.map((row) => row.length))).toEqual(new Set([columns]));
      expect(cells.flat()).toContain(cell);
    });
  }
});
