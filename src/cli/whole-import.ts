/** `kith import --all`: imports a folder of `kith export --all`; it can be repeated. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, KithError } from '../errors.ts';
import type { Desk } from '../kernel.ts';
import type { JsonObject } from '../lib/json.ts';
import { located, readManifestText } from '../manifest/read.ts';
import { applyManifest } from '../operations/workspace/manifest.ts';
import { takeInPart, type Part } from '../operations/exports/whole.ts';
import { createUser, listUsers } from '../provision/users.ts';
import { lineOf, reasonsOf, type FailureText } from '../records/import/reasons.ts';
import { changesText } from './changes-text.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { createProgress } from './progress.ts';
import { linesOf, readFolder, type FileOfFolder, type Index } from './whole-folder.ts';

/** The flags of `kith import --all`. */
export interface WholeImportOptions {
  readonly org?: string;
  readonly all: string;
  readonly createUsers?: boolean;
  readonly dryRun?: boolean;
  readonly allowErrors?: boolean;
}

/** Batch size. */
const atOnce = { lines: 1000, characters: 4_000_000 };

/** The outcome of a file's lines. */
interface Counts {
  readonly file: string;
  readonly rows: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** Imports the folder, and answers with the outcome of each file. */
export async function importWhole(context: Context, options: WholeImportOptions): Promise<Answer> {
  const { all: folder, dryRun = false } = options;
  const index = await readFolder(folder, context.interruption);
  await bringManifest(context, options);
  const users = await bringUsers(context, options, folder);
  // Opened after the manifest, so that it has the manifest's objects.
  const desk = await context.desk(options.org, context.note, 'import');
  const files = index.files.filter(({ rows, file }) => rows !== undefined && file !== 'users.ndjson');
  const taking = new Taking(context, desk, folder, files);
  if (!dryRun) await taking.all();
  return taking.answer(options, users, index);
}

async function bringManifest(
  context: Context,
  { org, all: folder, dryRun = false }: WholeImportOptions,
): Promise<void> {
  const source = readManifestText(await readFile(join(folder, 'manifest.yaml'), 'utf8'));
  // The existing organization keeps its name.
  const { name: _name, ...organization } = (source.value as JsonObject)['organization'] as JsonObject;
  const manifest = { ...(source.value as JsonObject), organization };
  const desk = await context.desk(org);
  try {
    const { changes } = await desk.perform(applyManifest, { manifest, dry_run: dryRun });
    if (changes.length > 0) context.note(changesText(changes, !dryRun).trimEnd());
  } catch (error) {
    throw error instanceof KithError ? located(error, source) : error;
  }
}

interface Users {
  readonly created: number;
  /** Addresses without a user here. */
  readonly missing: readonly string[];
}

async function bringUsers(context: Context, options: WholeImportOptions, folder: string): Promise<Users> {
  const organization = await context.organization(options.org);
  const { users } = await listUsers(context.provision, organization);
  const known = new Set(users.map(({ email }) => email.toLowerCase()));
  const missing: string[] = [];
  let created = 0;
  for await (const lines of linesOf(folder, 'users.ndjson', atOnce)) {
    for (const { name, email, role, is_active: isActive } of lines) {
      if (typeof email !== 'string' || typeof name !== 'string' || typeof role !== 'string')
        throw errors.validation('A line of users.ndjson has no name, address and role');
      if (known.has(email.toLowerCase())) continue;
      if (options.createUsers !== true || options.dryRun === true) missing.push(email);
      else {
        await createUser(context.provision, organization, { name, email, role, inactive: isActive !== true });
        created++;
      }
    }
  }
  return { created, missing };
}

class Taking {
  readonly #context: Context;
  readonly #desk: Desk;
  readonly #folder: string;
  readonly #files: readonly FileOfFolder[];
  readonly #counts: ReadonlyMap<FileOfFolder, Counts>;
  readonly #told = new Map<FileOfFolder, FailureText[]>();
  readonly #strangers = new Set<string>();
  #lost = 0;

  constructor(context: Context, desk: Desk, folder: string, files: readonly FileOfFolder[]) {
    this.#context = context;
    this.#desk = desk;
    this.#folder = folder;
    this.#files = files;
    const none = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    this.#counts = new Map(files.map((file) => [file, { file: file.file, rows: file.rows ?? 0, ...none }]));
  }

  /** Imports records first, then links between them, in the order of the index; lists come last. */
  async all(): Promise<void> {
    const records = this.#files.filter(({ object }) => object !== undefined);
    const linked = records.filter(({ later = [] }) => later.length > 0);
    const lists = this.#files.filter(({ object }) => object === undefined);
    const steps = [
      ...records.map((file) => ({ file, pass: 'first' as const })),
      ...linked.map((file) => ({ file, pass: 'second' as const })),
      ...lists.map((file) => ({ file, pass: 'first' as const })),
    ];
    const total = steps.reduce((sum, { file }) => sum + (file.rows ?? 0), 0);
    const progress = createProgress(process.stderr, process.env);
    let done = 0;
    try {
      for (const { file, pass } of steps) {
        let first = 0;
        for await (const lines of linesOf(this.#folder, file.file, atOnce)) {
          if (this.#context.interruption.aborted) return;
          await this.#take(file, pass, lines, first);
          first += lines.length;
          done += lines.length;
          progress.show(done, done / total);
        }
      }
    } finally {
      progress.clear();
    }
  }

  async #take(
    file: FileOfFolder,
    pass: 'first' | 'second',
    lines: readonly JsonObject[],
    first: number,
  ): Promise<void> {
    const input = { part: partOf(file), lines, later: file.later ?? [], pass };
    const taken = await this.#desk.perform(takeInPart, input);
    const counts = this.#counts.get(file);
    if (!counts) return;
    counts.failed += taken.failures.length;
    // Counted in the first pass only: links are part of the record.
    if (pass === 'first') {
      counts.created += taken.created;
      counts.updated += taken.updated;
      counts.unchanged += taken.unchanged;
    }
    this.#lost += taken.lost;
    for (const address of taken.strangers) this.#strangers.add(address);
    const told = this.#told.get(file) ?? [];
    this.#told.set(file, told);
    for (const { index, message } of taken.failures)
      if (told.length < mostTold) told.push({ index: first + index, message });
  }

  answer({ dryRun = false, allowErrors }: WholeImportOptions, users: Users, { organization }: Index): Answer {
    const { note, interruption } = this.#context;
    const files = [...this.#counts.values()];
    const failed = files.reduce((sum, counts) => sum + counts.failed, 0);
    const strangers = dryRun ? users.missing : [...this.#strangers];
    if (strangers.length > 0)
      note(
        `Nobody here has these addresses, and what was theirs is yours: ${strangers.join(', ')}; --create-users makes them`,
      );
    if (this.#lost > 0) note(`${this.#lost} references lead to records that are not in the folder, and are left out`);
    if (interruption.aborted) note('Interrupted: what is counted is in; the same command brings in the rest');
    const errorList = [...this.#told].flatMap(([{ file }, told]) =>
      told.map(({ index, message }) => ({ file, line: index + 1, error: message })),
    );
    const lines = [...this.#told].flatMap(([{ file }, told]) =>
      reasonsOf(told).map((reason) => `${file}: ${lineOf(reason)}\n`),
    );
    const shown = files.map(({ file, rows, ...counts }) => (dryRun ? { file, rows } : { file, rows, ...counts }));
    const code = interruption.aborted
      ? exitCodes.interrupted
      : failed > 0 && allowErrors !== true
        ? exitCodes.failure
        : undefined;
    return {
      value: {
        organization,
        users_created: users.created,
        files: shown,
        strangers,
        lost: this.#lost,
        errors: errorList.slice(0, mostErrors),
      },
      text: textOf({ files: shown }, terminalWidth()) + lines.join(''),
      ...(code !== undefined && { exitCode: code }),
    };
  }
}

/** Failures per file that are kept, and those that the JSON contains. */
const mostTold = 10_000;
const mostErrors = 100;

function partOf({ object, file }: FileOfFolder): Part {
  if (object !== undefined) return { object };
  return { part: file === 'lists.ndjson' ? 'lists' : 'entries' };
}
