/** Where the columns of a file go, as lines for people, and whether somebody at a terminal agrees. */
import type { Analysis } from '../records/import/analysis.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { ask } from './ask.ts';
import { sourceNamed } from '../records/import/sources/sources.ts';

/** A proposal that needs no second look. */
const sure = 0.9;

/** `E-mail 1 - Value → emails`, a line for each column that goes somewhere. */
export function linesOfMapping({ source, rows }: Analysis, mapping: readonly MappingEntry[]): string[] {
  const known = sourceNamed(source);
  const widest = Math.max(0, ...mapping.map(({ column }) => Math.min(40, column.length)));
  const lines = mapping.flatMap(({ column, action, field, new_field_name: made }) =>
    action === 'ignore' ? [] : [`${column.padEnd(widest)} → ${field ?? made ?? ''}`],
  );
  return [`${rows.toLocaleString('en')} rows${known ? ` from ${known.label}` : ''}`, ...lines];
}

/** Asks at a terminal where a column may belong elsewhere. Where all is plain, or nobody is there, it goes on. */
export async function agrees(
  analysis: Analysis,
  mapping: readonly MappingEntry[],
  object: string,
  interruption: AbortSignal,
): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  const unsure = new Set(
    analysis.proposals.flatMap(({ column, confidence, isNamed }) => (confidence < sure && !isNamed ? [column] : [])),
  );
  if (!mapping.some(({ column, action }) => action !== 'ignore' && unsure.has(column))) return true;
  const lines = linesOfMapping(analysis, mapping).join('\n');
  return /^y(?:es)?$/i.test((await ask(`${lines}\nImport into ${object}? [y/N] `, interruption)).trim());
}
