/** Detects a file's kind by its beginning: a supported table, or something else. */
import { extname } from 'node:path';
import { errors } from '../../../errors.ts';

/** The supported kinds of files. */
export const formats = ['csv', 'json', 'jsonl', 'vcard'] as const;
export type Format = (typeof formats)[number];

/** Binary formats by their first bytes, shown as text. */
const binaries: readonly [start: string, name: string, advice: string][] = [
  ['PK\u0003\u0004', 'a spreadsheet or an archive', 'save it as CSV'],
  ['PK\u0005\u0006', 'an empty archive', 'a table is needed'],
  ['Rar!', 'an archive (RAR)', 'unpack it first'],
  ['7z\u00bc\u00af', 'an archive (7z)', 'unpack it first'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel or Outlook file', 'save it as CSV'],
  ['\u00d0\u00cf\u0011', 'an old Excel or Outlook file', 'save it as CSV'],
  ['%PDF-', 'a PDF', 'export the table as CSV'],
  ['\u0089PNG', 'a picture (PNG)', 'a table is needed'],
  ['\u2030PNG', 'a picture (PNG)', 'a table is needed'],
  ['\u00ff\u00d8\u00ff', 'a picture (JPEG)', 'a table is needed'],
  ['GIF8', 'a picture (GIF)', 'a table is needed'],
  ['RIFF', 'a picture or a sound', 'a table is needed'],
  ['\u001f\u2039', 'a compressed file', 'unpack it first'],
  ['\u001f\u008b', 'a compressed file', 'unpack it first'],
  ['SQLite format 3', 'a database', 'export its table as CSV'],
];

/** Text formats that are no tables, by their beginning. */
const texts: readonly [start: RegExp, name: string][] = [
  [/^\s*(?:<!doctype html|<html\b)/i, 'a web page (HTML)'],
  [/^\s*<\?xml/i, 'XML'],
  [/^\s*<svg\b/i, 'a picture (SVG)'],
  [/^\s*BEGIN:VCALENDAR/i, 'a calendar'],
  [/^\{\\rtf/, 'a document (RTF)'],
  [/^(?:From \S+ (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) |(?:Received|Return-Path|Message-ID|MIME-Version):)/i, 'an e-mail'],
];

/** Control characters, which text contains in broken cells only, and how much of a file's beginning is tested for them. */
// oxlint-disable-next-line no-control-regex -- these are the signs
const noText = /[\u0000-\u0008\u000e-\u0019\u001b]/g;
const lookedAt = 4_096;

/** The kind of a file that begins with `head`. Throws VALIDATION_ERROR, naming what it is, for anything but a table. */
export function formatOf(fileName: string, head: string): Format {
  for (const [start, name, advice] of binaries) if (head.startsWith(start)) throw noTable(name, advice);
  for (const [start, name] of texts)
    if (start.test(head)) throw noTable(name, 'CSV, JSON, JSON lines or vCard is read');
  const looked = head.slice(0, lookedAt);
  if ((looked.match(noText)?.length ?? 0) > Math.max(1, looked.length / 20))
    throw errors.validation('The file is no text, or in UTF-16 without a byte order mark: save it as UTF-8');
  if (/^\s*BEGIN:VCARD/i.test(head)) return 'vcard';
  const extension = extname(fileName).toLowerCase();
  if (extension === '.jsonl' || extension === '.ndjson' || extension === '.json') return 'json';
  if (['.csv', '.tsv', '.tab', '.txt'].includes(extension)) return 'csv';
  return /^\s*[[{]/.test(head) ? 'json' : 'csv';
}

function noTable(name: string, advice: string): Error {
  return errors.validation(`The file is ${name}, not a table: ${advice}`);
}
