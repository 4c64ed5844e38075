import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Digits } from '../../src/lib/json.ts';
import { placesOf, read, sharedFile } from './import-files.ts';

const cells = (rows: readonly object[]) => rows.map((row) => ('cells' in row ? row.cells : row));

describe('a table', () => {
  const csv = 'Name,Email,Shoe\nAda,ada@x.test,38\n';
  const line = '{"Name":"Ada","Email":"ada@x.test","Shoe":38}';
  const scenarios: [name: string, text: string, fileName: string, format?: 'csv' | 'json'][] = [
    ['CSV by the name of the file', csv, 'people.CSV'],
    ['CSV by its beginning', csv, '-'],
    ['CSV with other delimiters', csv.replaceAll(',', '\t'), '-'],
    ['CSV by choice', csv, 'people.json', 'csv'],
    ['JSON lines by the name of the file', `${line}\n`, 'people.jsonl'],
    ['JSON lines by choice', `\n${line}\n\n`, 'people.csv', 'json'],
    ['a JSON array over lines', `[\n  ${line}\n]\n`, '-'],
    ['what an export answers', `{"format":"json","records":[${line}],"total":1}`, 'export.json'],
  ];
  for (const [name, text, fileName, format] of scenarios) {
    it(name, async () => {
      const { analysis, rows } = await read('contacts', { text, name: fileName, ...(format && { format }) });
      expect(analysis.columns).toEqual(['Name', 'Email', 'Shoe']);
      expect(cells(rows).map((row) => JSON.stringify(row).replaceAll('"38"', '38'))).toEqual([
        '["Ada","ada@x.test",38]',
      ]);
    });
  }

  it('has its header under notes, and none where the first row is one of values', async () => {
    const noted = await read('contacts', { text: `Notes:\n"Exported, for you",,\n\n${csv}` });
    expect([noted.analysis.columns[0], noted.analysis.above, noted.rows.length]).toEqual(['Name', 2, 1]);
    const bare = await read('contacts', { text: 'Ada,ada@x.test,1990-01-02\nBob,bob@x.test,1991-02-03\n' });
    expect(bare.analysis).toMatchObject({ hasHeader: false, columns: ['Column 1', 'Column 2', 'Column 3'], rows: 2 });
    expect(placesOf(bare.analysis)['Column 2']).toBe('emails');
  });

  it('tells double and missing names apart', async () => {
    const { analysis } = await read('contacts', { text: 'email,email,,name\na@x.test,b@x.test,x,Ada\n' });
    expect(analysis.columns).toEqual(['email', 'email (2)', 'Column 3', 'name']);
    expect(placesOf(analysis)).toMatchObject({ email: 'emails', 'email (2)': 'emails', 'Column 3': '' });
  });

  it('names rows that are none, and goes on', async () => {
    const csvRows = await read('contacts', { text: 'name,email\nA,a@x.test,more\nB\nC,c@x.test,,\nA\0,x\n' });
    expect(cells(csvRows.rows)).toEqual([
      { problem: 'the row has 3 cells, the header 2' },
      ['B', ''],
      ['C', 'c@x.test'],
      { problem: 'name contains a NUL character' },
    ]);
    const lines = await read('contacts', { text: '{"name":"A"}\n{"name":\n[1]\n{"name":"\\u0000"}\n' });
    expect(cells(lines.rows)).toEqual([
      ['A'],
      { problem: expect.stringMatching(/^not JSON/) },
      { problem: 'not an object' },
      { problem: 'name contains a NUL character' },
    ]);
  });

  it('keeps the digits of numbers', async () => {
    const { rows } = await read('opportunities', { text: '{"amount":12345678901234567890.10}\n' });
    expect(rows).toEqual([{ cells: [new Digits('12345678901234567890.10')] }]);
  });

  it('is refused with more columns than programs make', async () => {
    const refusalOf = async (count: number) => {
      const wide = Array.from({ length: count }, (_, at) => `c${at}`).join(',');
      return read('contacts', { text: `${wide}\n${wide}\n` }).catch((error: unknown) => error);
    };
    expect(await refusalOf(3_000)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The file has 3,000 columns, and at most 2,000 are taken',
    });
    expect(await refusalOf(200_000)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'A row of the file has more columns than the 2,000 that are taken',
    });
  });

  it('names the rows of JSON lines whose new keys would make it wider than programs make', async () => {
    const line = (from: number, count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${from + at}`, 1])));
    const text = [line(0, 1_500), line(1_500, 501), line(1_400, 600)].join('\n');
    const { analysis, rows } = await read('contacts', { text, name: 'x.jsonl' });
    expect(analysis.columns).toHaveLength(2_000);
    expect(rows.map((row) => ('problem' in row ? row.problem : row.cells.length))).toEqual([
      1_500,
      'with the row the file has 2,001 columns, and at most 2,000 are taken',
      2_000,
    ]);
  });

  it('is none: a picture, a page, a calendar, a sheet', async () => {
    const others: [bytes: string | Uint8Array, what: string][] = [
      [Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 'a picture (PNG)'],
      ['<!DOCTYPE html><p>', 'a web page (HTML)'],
      ['BEGIN:VCALENDAR\nEND:VCALENDAR\n', 'a calendar'],
      ['PK\u0003\u0004', 'a spreadsheet or an archive'],
      ['%PDF-1.7', 'a PDF'],
    ];
    for (const [text, what] of others)
      await expect(read('contacts', { text })).rejects.toThrow(`The file is ${what}, not a table`);
  });
});

describe('shared files of edges', () => {
  const spectrum = ['comma_in_quotes', 'escaped_quotes', 'quotes_and_newlines', 'utf8', 'empty'];
  for (const name of spectrum) {
    it(name, async (context) => {
      const [path, json] = [
        sharedFile(`csv-edge/csv-spectrum/csvs/${name}.csv`),
        sharedFile(`csv-edge/csv-spectrum/json/${name}.json`),
      ];
      context.skip(!path || !json, 'the shared data is not beside the project');
      if (!path || !json) return;
      const { analysis, rows } = await read('contacts', { path });
      const objects = rows.map((row) =>
        'cells' in row ? Object.fromEntries(analysis.columns.map((column, at) => [column, row.cells[at]])) : row,
      );
      const expected = JSON.parse(readFileSync(json, 'utf8')) as Record<string, string>[];
      // In a CSV, white space around a value is layout.
      expect(objects).toEqual(
        expected.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, v.trim()]))),
      );
    });
  }

  const tables: [path: string, columns: string[], rows: number, above: number][] = [
    ['csvkit/test_utf16_big.csv', ['a', 'b', 'c'], 2, 0],
    ['csvkit/test_latin1.csv', ['a', 'b', 'c'], 2, 0],
    ['csvkit/mac_newlines.csv', ['a', 'b', 'c'], 2, 0],
    ['csvkit/no_header_row.csv', ['Column 1', 'Column 2', 'Column 3'], 1, 0],
    ['tabulator/bom.csv', ['id', 'name'], 2, 0],
    ['tabulator/skip-rows-before-headers.csv', ['id', 'name'], 2, 1],
  ];
  for (const [name, columns, rows, above] of tables) {
    it(name, async (context) => {
      const path = sharedFile(`csv-edge/${name}`);
      context.skip(!path, 'the shared data is not beside the project');
      if (!path) return;
      expect((await read('companies', { path })).analysis).toMatchObject({ columns, rows, above });
    });
  }
});
