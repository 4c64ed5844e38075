/** A chosen file: its properties are read before it is sent, and remembered in this browser. */
import { kith } from '../api/kith.ts';
import type { FileType, ImportsAnalyzeAnswer } from '../../../client/index.js';
import { remember, remembered } from '../app/remembered.ts';

export type Job = ImportsAnalyzeAnswer;
export type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';
export type Separator = ',' | ';' | '\t' | '|';

/** Properties of the file itself. */
export interface FileFacts {
  readonly encoding: Encoding;
  readonly separator?: Separator;
}

const types: Readonly<Record<string, FileType>> = {
  csv: 'text/csv',
  txt: 'text/csv',
  tsv: 'text/tab-separated-values',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/jsonl',
  vcf: 'text/vcard',
};

/** The separator is detected in this many bytes. */
const lookedAt = 65_536;

/** Sends the file to be analyzed for an import into `object`. Throws what the request throws. */
export async function analyzeFile(file: File, object: string): Promise<Job> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = types[/\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''];
  const { name } = file;
  const job = await (type === undefined
    ? kith.imports.analyze({ object_name: object, data: await base64Of(file), encoding: 'base64', file_name: name })
    : kith.imports.analyzeFile(bytes, { object_name: object, file_name: name }, { type }));
  remember(toldKey(job.import_job_id), JSON.stringify(factsOf(bytes, job)));
  return job;
}

/** The properties of this import's file; undefined if it was sent from another browser. */
export function rememberedFacts(job: string): FileFacts | undefined {
  const text = remembered(toldKey(job));
  return text === undefined ? undefined : (JSON.parse(text) as FileFacts);
}

function toldKey(job: string): string {
  return `kith-import-file-${job}`;
}

function factsOf(bytes: Uint8Array, { columns, format }: Job): FileFacts {
  const encoding = encodingOf(bytes);
  if (format !== 'csv' || columns.length < 2) return { encoding };
  const text = new TextDecoder(encoding === 'utf-16' && bytes[0] === 0xfe ? 'utf-16be' : encoding).decode(
    bytes.subarray(0, lookedAt),
  );
  const [first = '', second = ''] = columns.map(({ column }) => column);
  const separators: readonly Separator[] = [',', ';', '\t', '|'];
  const between = (sign: string) => [`${first}${sign}${second}`, `"${first}"${sign}"${second}"`];
  const separator =
    separators.find((sign) => between(sign).some((header) => text.includes(header))) ??
    separators.toSorted((a, b) => text.split(b).length - text.split(a).length)[0];
  return { encoding, ...(separator && { separator }) };
}

function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'utf-16';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
