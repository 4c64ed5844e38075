import { describe, expect, it } from 'vitest';
import { openSource, type SourceRow } from '../../src/cli/import-source.ts';
import { Digits } from '../../src/lib/json.ts';
import type { FieldDef } from '../../src/fields/field-def.ts';

const base: Omit<FieldDef, 'id' | 'name' | 'label'> = {
  type: 'TEXT',
  isRequired: false,
  isReadonly: false,
  isSearchable: false,
  isHidden: false,
  isUnique: false,
  defaultValue: null,
  options: null,
};
const fields = new Map(['name', 'emails', 'amount'].map((name) => [name, { ...base, id: name, name, label: name }]));

async function* bytes(text: string, size = text.length || 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

async function read(
  text: string,
  fileName: string,
  options: { format?: 'csv' | 'json'; chosen?: Record<string, string>; size?: number } = {},
) {
  const { format, chosen = {}, size } = options;
  const source = openSource(bytes(text, size), {
    fileName,
    fields,
    chosen: new Map(Object.entries(chosen)),
    ...(format && { format }),
  });
  const rows: SourceRow[] = [];
  for await (const batch of source.rows) rows.push(...batch);
  return { rows, ignored: [...source.ignored] };
}

const ada = { values: { name: 'Ada', emails: 'ada@x.test' } };

it('refuses a file of more columns than programs make, and such a row alone', async () => {
  const wide = Array.from({ length: 200_000 }, (_, at) => `c${at}`).join(',');
  const message = 'The file has 200,000 columns, and at most 2,000 are taken';
  await expect(read(`${wide}\n${wide}\n`, 'wide.csv')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
  const problem = 'the row has 2,001 columns, and at most 2,000 are taken';
  const cells = `x${','.repeat(2_000)}`;
  const below = await read(`name\n${'Ada\n'.repeat(10)}${cells}\nBob\n`, 'people.csv');
  expect(below.rows.slice(10)).toEqual([{ problem }, { values: { name: 'Bob' } }]);
  const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`k${at}`, 1])));
  expect((await read(`{"name":"Ada"}\n${keys}\n`, 'people.jsonl')).rows).toEqual([
    { values: { name: 'Ada' } },
    { problem },
  ]);
});

describe('openSource', () => {
  const csv = 'Name,Email,Shoe\nAda,ada@x.test,38\n';
  const line = '{"name":"Ada","email":"ada@x.test","shoe":38}';
  const scenarios: [name: string, text: string, fileName: string, format?: 'csv' | 'json'][] = [
    ['CSV by the name of the file', csv, 'people.CSV'],
    ['CSV by its beginning', csv, '-'],
    ['CSV by choice', csv, 'people.json', 'csv'],
    ['JSON lines by the name of the file', `${line}\n`, 'people.jsonl'],
    ['JSON lines by the beginning, without a line end', line, '-'],
    ['JSON lines by choice', `\n${line}\n\n`, 'people.csv', 'json'],
    ['a JSON array', `[${line}]`, '-'],
    ['a JSON array over lines', `[\n  ${line}\n]\n`, '-'],
    ['one JSON object over lines', `${line.replaceAll(',', ',\n')}\n`, 'one.json'],
    ['what an export answers', `{"format":"json","records":[${line}],"total":1}`, 'export.json'],
    ['what an export answers, over lines', `{\n"format":"json",\n"records":[${line}],"total":1}\n`, 'export.json'],
    ['what an export answers, with a line end', `{"format":"json","records":[${line}],"total":1}\n`, '-'],
  ];
  for (const [name, text, fileName, format] of scenarios) {
    it(name, async () => {
      const result = await read(text, fileName, format && { format });
      expect(result).toEqual({ rows: [ada], ignored: [expect.stringMatching(/shoe/i)] });
    });
  }

  it('finds the header under notes', async () => {
    expect((await read(`Notes:\n"Exported, for you",,\n\n${csv}`, 'x.csv')).rows).toEqual([ada]);
  });

  it('names rows that are too long, and takes short ones as they are', async () => {
    const { rows } = await read('name,emails\nA,a@x.test,more\nB\nC,c@x.test,,\n', 'x.csv');
    expect(rows).toEqual([
      { problem: 'the row has 3 cells, the header 2' },
      { values: { name: 'B', emails: '' } },
      { values: { name: 'C', emails: 'c@x.test' } },
    ]);
  });

  it('goes by the chosen columns', async () => {
    expect((await read('Firm,Name\nAcme,x\n', 'x.csv', { chosen: { Firm: 'name' } })).rows).toEqual([
      { values: { name: 'Acme' } },
    ]);
    expect((await read('{"firm":"Acme"}\n{"name":"Globex"}', '-', { chosen: { firm: 'name' } })).rows).toEqual([
      { values: { name: 'Acme' } },
      { values: { name: 'Globex' } },
    ]);
  });

  it('names each line that is no record, and goes on', async () => {
    const { rows } = await read('{"name":"A"}\n{"name":\n[1]\n{"x":1}\n{"name":"B"}\n', '-');
    expect(rows).toEqual([
      { values: { name: 'A' } },
      { problem: expect.stringMatching(/^not JSON/) },
      { problem: 'not an object' },
      { problem: 'none of its keys is a field' },
      { values: { name: 'B' } },
    ]);
  });

  it('names each row with what cannot be stored, and goes on', async () => {
    const problem = 'name contains a NUL character';
    const csv = await read('name,emails\nA\0da,a@x.test\nAda,ada@x.test\n', 'people.csv');
    expect(csv.rows).toEqual([{ problem }, ada]);
    const lines = await read('{"name":"A\\u0000da"}\n{"name":"Ada","emails":"ada@x.test"}\n', 'people.jsonl');
    expect(lines.rows).toEqual([{ problem }, ada]);
    const { rows } = await read('[{"name":["x\\ud800"]}]', 'people.json');
    expect(rows).toEqual([{ problem: 'name contains half of a surrogate pair' }]);
  });

  it('keeps the digits of numbers', async () => {
    const { rows } = await read('{"amount":12345678901234567890.10}\n', '-');
    expect(rows).toEqual([{ values: { amount: new Digits('12345678901234567890.10') } }]);
  });

  const refused: [name: string, text: string, fileName: string][] = [
    ['a CSV file without any field', 'a,b\n1,2\n', 'x.csv'],
    ['an empty CSV file', '', 'x.csv'],
    ['a JSON document that is cut off', '[{"name":"A"},', 'x.json'],
  ];
  for (const [name, text, fileName] of refused) {
    it(`refuses ${name}`, () => expect(read(text, fileName)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' }));
  }
});
