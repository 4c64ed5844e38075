/** The example manifests, the files of the data sets, and what tests ask of a workspace that holds them. */
import { existsSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { readManifestText } from '../../src/manifest/read.ts';
import { walk, type Query } from '../api/records.ts';
import type { Client } from '../support/kith.ts';
import type { Loose } from './manifests.ts';

export type Row = Readonly<Record<string, string>>;

/** Beside the project, where it is there. */
const shared = new URL('../../../shared/data/', import.meta.url);
export const missing = !existsSync(shared);

export function exampleNamed(name: string): object {
  const { value } = readManifestText(readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is no manifest`);
  return value;
}

export function rowsOf(file: string, encoding = 'utf-8'): readonly Row[] {
  const text = new TextDecoder(encoding, { fatal: true }).decode(readFileSync(new URL(file, shared)));
  const { data, errors } = Papa.parse<Row>(text, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  return data;
}

export const cell = (row: Row, column: string): string => row[column] ?? '';

export async function importAll(client: Client, object: string, records: readonly object[]): Promise<void> {
  const reply = await client.post(`/import/${object}`, { records });
  expect(reply.json.errors, reply.text.slice(0, 2000)).toEqual([]);
  expect(reply.json).toMatchObject({ created: records.length, duplicates: 0, failed: 0 });
  expect(reply.headers.get('warning')).toBeNull();
}

export const totalOf = async (client: Client, object: string, query: Query = {}): Promise<number> =>
  (await client.get(`/records/${object}`, { limit: 1, ...query })).json.total;

export const all = async (client: Client, object: string, query: Query = {}): Promise<readonly Loose[]> =>
  (await walk(client, object, { limit: 100, ...query })).records;

export const where = (field: string, operator: string, value?: string) => ({
  filter_field: field,
  filter_operator: operator,
  filter_value: value,
});

export const sum = (values: readonly (number | string | null | undefined)[]): number =>
  values.reduce<number>((total, value) => total + Math.round(Number(value ?? 0) * 100), 0) / 100;

export function countsOf(values: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Every object, by JSON and by CSV: as many as there are. */
export async function expectExported(client: Client, counts: Readonly<Record<string, number>>): Promise<void> {
  for (const [object, count] of Object.entries(counts)) {
    const json = await client.get(`/export/${object}`, { limit: 10_000 });
    expect(json.json.records, object).toHaveLength(count);
    const csv = await client.get(`/export/${object}`, { limit: 10_000, format: 'csv' });
    expect(Papa.parse(csv.text, { header: true, skipEmptyLines: true }).data, object).toHaveLength(count);
  }
}
