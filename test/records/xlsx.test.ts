import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sheetHead, sheetRow, sheetTail } from '../../src/records/xlsx/sheet.ts';
import { workbook } from '../../src/records/xlsx/workbook.ts';
import { collect } from './csv-files.ts';
import { sheetOf, unzipped } from './xlsx-files.ts';

const columns = ['name', 'amount', ...Array.from({ length: 28 }, (_, at) => `c${at}`)].map((name) => ({
  name,
  isNumber: name === 'amount',
}));

async function* sheetWith(rows: readonly (readonly string[])[]): AsyncGenerator<string> {
  yield sheetHead(columns.map(({ name }) => name));
  for (const [at, cells] of rows.entries()) yield sheetRow(at + 2, `id ${at}`, cells, columns);
  yield sheetTail;
}

async function fileOf(rows: readonly (readonly string[])[]): Promise<Buffer> {
  return Buffer.concat(await collect(workbook('a_name_of_more_than_thirty_one_characters', sheetWith(rows))));
}

it('keeps every text as text, whatever it is, in its column', async () => {
  const cell = fc.string({
    unit: fc.constantFrom(
      'a',
      '=',
      '&',
      '<',
      '>',
      '"',
      '_',
      'x',
      '0',
      'D',
      '\t',
      '\n',
      '\r',
      '\u0001',
      '\uffff',
      ' ',
      '😀',
    ),
  });
  const row = fc.array(cell, { minLength: columns.length, maxLength: columns.length });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), async (rows) => {
      const expected = rows.map((cells) =>
        cells.map((text, at) => (at === 1 && /^0+$/.test(text) ? { number: text } : text.replaceAll('\r\n', '\n'))),
      );
      const read = sheetOf(await fileOf(rows)).slice(1);
      expect(read.map((cells) => columns.map((_, at) => cells[at] ?? ''))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

it('has numbers that programs can keep as numbers, and no other', async () => {
  const numbers = ['12', '-0.5', '123456789012345', '1234567890123456', '1e5', '=1', ''];
  const read = sheetOf(await fileOf(numbers.map((text) => [text, text])));
  expect(read.slice(1).map(([text, number]) => [text ?? null, number ?? null])).toEqual([
    ['12', { number: '12' }],
    ['-0.5', { number: '-0.5' }],
    ['123456789012345', { number: '123456789012345' }],
    ['1234567890123456', '1234567890123456'],
    ['1e5', '1e5'],
    ['=1', '=1'],
    [null, null],
  ]);
});

it('is an archive of the parts that programs ask for, with a name of the sheet that they take', async () => {
  const files = unzipped(await fileOf([]));
  expect([...files.keys()]).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/worksheets/sheet1.xml',
  ]);
  expect(files.get('xl/workbook.xml')).toContain('name="a_name_of_more_than_thirty_one_"');
});

it('refuses what no sheet takes, and stops reading when nobody reads on', async () => {
  expect(() => sheetRow(2, 'r1', ['x'.repeat(32_768)], columns)).toThrow(
    'name of r1 has 32,768 characters, and a cell of a spreadsheet takes 32,767: take csv, json or ndjson',
  );
  expect(() => sheetRow(1_048_577, 'r1', [], columns)).toThrow('at most 1,048,575 records');
  let isOver = false;
  async function* endless() {
    try {
      for (;;) yield 'x'.repeat(100_000);
    } finally {
      isOver = true;
    }
  }
  for await (const piece of workbook('x', endless())) if (piece.length > 1_000) break;
  await expect.poll(() => isOver, { interval: 1 }).toBe(true);
  async function* failing(): AsyncGenerator<string> {
    yield sheetHead(['a']);
    throw new Error('broken off');
  }
  await expect(collect(workbook('x', failing()))).rejects.toThrow('broken off');
});
