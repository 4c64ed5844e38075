/**
 * A workspace as a readable folder: a file of JSON lines per object, the manifest, and `index.json`, which lists the files
 * and is written last. JSON lines are lossless, unlike CSV, which does not distinguish texts, numbers, lists and null.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, quoted } from '../errors.ts';
import { openGiven, readGiven } from '../lib/given-file.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { codeOf } from '../lib/thrown.ts';
import { linesIn } from './lines-in.ts';
import { unreadable } from './unreadable.ts';
import { writeWhole, type Write } from './written-file.ts';

const format = 'kith-folder';
const version = 1;
const indexName = 'index.json';

/** A file, as the index lists it. */
export interface FileOfFolder {
  /** Its path within the folder. */
  readonly file: string;
  /** The number of lines; absent for other files. */
  readonly rows?: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The object of the records. */
  readonly object?: string;
  /** Fields that are set after all records exist. */
  readonly later?: readonly string[];
}

export interface Index {
  readonly organization: string;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly files: readonly FileOfFolder[];
}

/** Creates the folder if needed. Throws CONFLICT if it is not empty, unless `force`. */
export async function prepareFolder(folder: string, force: boolean): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') throw errors.validation(`${quoted(folder)} is no folder`);
    throw unreadable(folder, error);
  });
  if (found.length > 0 && !force)
    throw errors.conflict(`The folder ${quoted(folder)} is not empty: name a new one, or write over it with --force`);
  try {
    makeFolder(join(folder, 'records'), 0o700);
  } catch (error) {
    throw unreadable(folder, error);
  }
  // Without an index the folder is incomplete.
  await rm(join(folder, indexName), { force: true });
}

/** Writes a file of the folder; returns its size and checksum. */
export async function writeFileOf(
  folder: string,
  file: string,
  work: (write: Write) => Promise<void>,
): Promise<Pick<FileOfFolder, 'file' | 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await writeWhole({ path: join(folder, file), replaces: true }, (write) =>
    work(async (content) => {
      hash.update(content);
      bytes += Buffer.byteLength(content);
      await write(content);
    }),
  );
  return { file, bytes, sha256: hash.digest('hex') };
}

/** Writes the index, which makes the folder complete. */
export async function writeIndex(folder: string, index: Index): Promise<void> {
  const text = `${JSON.stringify({ format, version, ...index }, null, 2)}\n`;
  await writeWhole({ path: join(folder, indexName), replaces: true }, (write) => write(text));
}

/** Reads the index and verifies the checksum of every file. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function readFolder(folder: string, signal: AbortSignal): Promise<Index> {
  const index = await readIndex(folder);
  for (const file of index.files) await checkFile(folder, file, signal);
  return index;
}

const mostOfIndex = { maxBytes: 10_000_000, tooLong: `${indexName} is too long for an index` };

async function readIndex(folder: string): Promise<Index> {
  const path = join(folder, indexName);
  const text = await readGiven(path, mostOfIndex).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw unreadable(path, error);
    throw errors.notFound(
      `There is no ${indexName} in ${quoted(folder)}: it is no folder of kith export --all, or one that was not finished`,
    );
  });
  let value: Json;
  try {
    value = parseJson(text.toString('utf8'));
  } catch {
    throw errors.validation(`${quoted(path)} is not valid JSON`);
  }
  if (!isObject(value) || value['format'] !== format)
    throw errors.validation(`${quoted(path)} is no index of a folder`);
  if (value['version'] !== version)
    throw errors.validation(`${quoted(folder)} was written by another version of Kith: take one that writes it`);
  const files = Array.isArray(value['files']) ? value['files'] : [];
  if (!files.every(isFile)) throw errors.validation(`${quoted(path)} names a file that cannot be one of the folder`);
  return { ...(value as unknown as Index), files: files as unknown as readonly FileOfFolder[] };
}

const names = /^(?:manifest\.yaml|users\.ndjson|lists\.ndjson|list-entries\.ndjson|records\/[a-z][a-z0-9_]*\.ndjson)$/;

/** Whether an entry of the index names a file within the folder. */
function isFile(value: Json): boolean {
  return isObject(value) && names.test(String(value['file'])) && typeof value['sha256'] === 'string';
}

async function checkFile(folder: string, { file, sha256 }: FileOfFolder, signal: AbortSignal): Promise<void> {
  const path = join(folder, file);
  const hash = createHash('sha256');
  try {
    for await (const bytes of openGiven(path, signal).bytes) {
      signal.throwIfAborted();
      hash.update(bytes as Uint8Array);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  if (hash.digest('hex') !== sha256)
    throw errors.validation(`${quoted(path)} is not as it was exported: it was cut or changed; export it again`);
}

/** The lines of a file in batches. */
export async function* linesOf(
  folder: string,
  file: string,
  most: { readonly lines: number; readonly characters: number },
): AsyncGenerator<readonly JsonObject[]> {
  let batch: JsonObject[] = [];
  let characters = 0;
  for await (const text of linesIn(createReadStream(join(folder, file), 'utf8'))) {
    if (batch.length === most.lines || (batch.length > 0 && characters + text.length > most.characters)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    const line = parseJson(text);
    batch.push(isObject(line) ? line : {});
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
