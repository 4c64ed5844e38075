/** Every shared table, broken in the ways in which people break files: one sentence, or rows of which each is taken or named. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KithError } from '../../src/errors.ts';
import { read, sharedFile } from './import-files.ts';

const folders = ['exports', 'crm-sales', 'salesforce-export', 'companies', 'contacts', 'names', 'csv-edge', 'strings'];
const isTable = /\.(?:csv|json|vcf)$/;
const absent = 'the shared data is not beside the project';

function tablesIn(folder: string): string[] {
  const path = sharedFile(folder);
  if (!path) return [];
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, String(name)))
    .filter((name) => isTable.test(name) && statSync(name).size > 0);
}

const tables = folders.flatMap(tablesIn);

const utf16 = (bytes: Buffer) => Buffer.from(bytes.toString('latin1'), 'utf16le');
const behind = (start: readonly number[]) => (bytes: Buffer) => Buffer.concat([Buffer.from(start), bytes]);

/** What becomes of the bytes, and the sentence that is said of them. */
const refused: [name: string, broken: (bytes: Buffer) => Buffer, told: RegExp][] = [
  ['a zip by mistake', behind([0x50, 0x4b, 3, 4, 20, 0]), /^The file is a spreadsheet or an archive, not a table/],
  ['an old Excel file', behind([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /^The file is an old Excel or Outlook file/],
  ['compressed', behind([0x1f, 0x8b, 8, 0]), /^The file is a compressed file, not a table/],
  ['UTF-16 without a mark', utf16, /^The file is no text, or in UTF-16 without a byte order mark: save it as UTF-8$/],
];

describe.each(refused)('%s', (_name, broken, told) => {
  it('is said in one sentence', async (context) => {
    context.skip(tables.length === 0, absent);
    for (const path of tables) {
      const whole = readFileSync(path);
      // A file with a mark of its own is UTF-16 twice then, and no more readable.
      if (whole.length < 40 || whole[0] === 0xff || whole[0] === 0xfe) continue;
      await expect(read('contacts', { text: broken(whole), name: path }), path).rejects.toThrow(told);
    }
  });
});

/** Ways that may leave something to read. */
const damaged: [name: string, broken: (bytes: Buffer) => Buffer][] = [
  ['cut in the middle', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6))],
  ['cut in the first line', (bytes) => bytes.subarray(0, Math.max(1, Math.floor(bytes.indexOf(0x0a) / 2)))],
  ['another delimiter than any', (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(/[,;]/g, '^'), 'latin1')],
  ['a quote too much', (bytes) => Buffer.from(bytes.toString('latin1').replace(',', ',"'), 'latin1')],
  ['UTF-8 that is read as Latin-1 and saved again', (bytes) => Buffer.from(bytes.toString('latin1'))],
  ['in one line', (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(/[\r\n]/g, ' '), 'latin1')],
];

describe.each(damaged)('%s', (_name, broken) => {
  it('is one sentence, or rows that are all there', async (context) => {
    context.skip(tables.length === 0, absent);
    for (const path of tables) {
      try {
        const { analysis, rows, made } = await read('contacts', { text: broken(readFileSync(path)), name: path });
        expect(rows.length, path).toBe(analysis.rows);
        expect(made().length, path).toBe(rows.length);
      } catch (error) {
        expect([path, error]).toEqual([path, expect.any(KithError)]);
        expect((error as KithError).message).toMatch(/^[A-Z][^\n]{10,400}$/);
      }
    }
  });
});

it('names the card that a cut vCard has lost, and takes the others', async () => {
  const card = (name: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nN:${name};Ada;;;\r\nEND:VCARD\r\n`;
  const text = `${card('One')}${card('Two')}${card('Three').slice(0, 40)}`;
  const { rows } = await read('contacts', { text, name: 'x.vcf' });
  expect(rows.map((row) => ('problem' in row ? row.problem : row.cells[1]))).toEqual([
    'One',
    'Two',
    'the card is cut: it has no END:VCARD',
  ]);
  const lost = `${card('One').replace(/END.*/s, '')}${card('Two')}`;
  expect((await read('contacts', { text: lost, name: 'x.vcf' })).rows).toMatchObject([
    { problem: expect.stringMatching(/cut/) },
    { cells: expect.any(Array) },
  ]);
  await expect(read('contacts', { text: card('One').slice(0, 40), name: 'x.vcf' })).rejects.toThrow(
    'no card that is whole',
  );
});

it('takes columns whose names begin like the head of an e-mail', async () => {
  const { analysis } = await read('contacts', { text: 'From Date,First name,Email\n2026-01-31,Ada,ada@x.test\n' });
  expect(analysis.columns[0]).toBe('From Date');
  await expect(read('contacts', { text: 'From ada@x.test Thu Mar  1 00:32:13 2007\n' })).rejects.toThrow('an e-mail');
});

it('gives up on one endless line', async () => {
  const text = 'x'.repeat(17 * 1024 * 1024);
  await expect(read('contacts', { text })).rejects.toThrow(
    'A row of the file is longer than 16 MB: the file has no line ends',
  );
});
