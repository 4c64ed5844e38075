/** What a command prints: one JSON document, or text that is aligned on a terminal and separated by tabs elsewhere. */
import type { Context, Onlooker } from './context.ts';

/** What a command has to say. `text` replaces what would be made of `value` for people. */
export interface Answer {
  readonly value: object;
  readonly text?: string;
  readonly exitCode?: number;
}

/** Opens what commands work with, does a command's work and keeps its answer to be printed. */
export type Answering = (work: (context: Context) => Promise<Answer>) => Promise<void>;

/** The same for commands that look at what is there and leave it so. */
export type Onlooking = (work: (onlooker: Onlooker) => Promise<Answer>) => Promise<void>;

/** Text of `value` for people: a table when it is a list under one key, else a line per key. Ends with a line end, or is empty. */
export function textOf(value: object, aligned: boolean): string {
  const [only, ...others] = Object.values(value);
  const lines =
    others.length === 0 && Array.isArray(only)
      ? tableOf(only)
      : Object.entries(value).map(([key, item]) => [key, cellOf(item)]);
  return aligned ? alignedLines(lines) : lines.map((cells) => `${cells.join('\t')}\n`).join('');
}

/** The keys of the first row make the header; no rows, no table. */
function tableOf(rows: readonly object[]): string[][] {
  const [first] = rows;
  if (first === undefined) return [];
  const keys = Object.keys(first);
  return [
    keys,
    ...rows.map((row) => keys.map((key) => cellOf(Object.entries(row).find(([name]) => name === key)?.[1]))),
  ];
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  // Tabs and line ends would look like other cells.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
}

function alignedLines(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const cells of lines) cells.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
