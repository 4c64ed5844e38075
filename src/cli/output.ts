/** The output of a command: one JSON document, or text, aligned on a terminal and tab-separated elsewhere. */
import type { Client } from './client.ts';
import type { Context, Onlooker } from './context.ts';

/** A command's answer. `text` replaces the text derived from `value`. */
export interface Answer {
  readonly value: object;
  readonly text?: string;
  readonly exitCode?: number;
}

/** Opens the context, runs a command's work and keeps its answer for printing. */
export type Answering = (work: (context: Context) => Promise<Answer>) => Promise<void>;

/** As `Answering`, for commands that only read. */
export type Onlooking = (work: (onlooker: Onlooker) => Promise<Answer>) => Promise<void>;

/** As `Answering`, for commands on records; `org` is the organization named by the flag. */
export type Asking = (org: string | undefined, work: (client: Client) => Promise<Answer>) => Promise<void>;

/** The width of the terminal; undefined if the output is no terminal. */
export function terminalWidth(): number | undefined {
  // A terminal of unknown width reports 0.
  return process.stdout.isTTY ? process.stdout.columns || Infinity : undefined;
}

/**
 * `value` as text: a table if it is a list under one key, or else a line per key. With a `width` it is aligned and tables
 * are cut to it; without, it is tab-separated and complete. Ends with a line end, or is empty.
 */
export function textOf(value: object, width: number | undefined): string {
  const [only, ...others] = Object.values(value);
  const isTable = others.length === 0 && Array.isArray(only);
  const lines = isTable ? tableOf(only) : Object.entries(value).map(([key, item]) => [key, cellOf(item)]);
  if (width === undefined) return lines.map((cells) => `${cells.join('\t')}\n`).join('');
  return alignedLines(isTable ? cutToWidth(lines, width) : lines);
}

/** The keys of the first row are the header; no rows, no table. */
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
  // Tabs and line ends would look like cell borders.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
}

const gap = 2;
/** The narrowest that a column is cut to. */
const narrowest = 10;

/** Drops the last columns if there is no room for all, and shortens the widest except the first, which identifies rows. */
function cutToWidth(lines: readonly (readonly string[])[], width: number): readonly (readonly string[])[] {
  const widths = widthsOf(lines).map((each, at) => (at === 0 ? each : Math.min(each, width)));
  const room = (some: readonly number[]) => width - some.reduce((sum, each) => sum + each + gap, -gap);
  const least = widths.map((each, at) => (at === 0 ? each : Math.min(each, narrowest)));
  while (widths.length > 1 && room(least.slice(0, widths.length)) < 0) widths.pop();
  while (widths.length > 1 && room(widths) < 0) {
    const widest = Math.max(...widths.slice(1));
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return lines.map((cells) => widths.map((most, at) => shortenedTo(at === 0 ? Infinity : most, cells[at] ?? '')));
}

function shortenedTo(most: number, cell: string): string {
  return cell.length <= most ? cell : `${cell.slice(0, most - 1).toWellFormed()}…`;
}

function widthsOf(lines: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of lines) cells.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return widths;
}

function alignedLines(lines: readonly (readonly string[])[]): string {
  const widths = widthsOf(lines);
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
