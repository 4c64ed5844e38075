/** `kith export --all`: a workspace as a folder of files. */
import type { Desk } from '../kernel.ts';
import { ownVersion } from '../lib/own-version.ts';
import { pullManifest } from '../operations/workspace/manifest.ts';
import { partsOfWhole, takeOut, type Part, type PartOfWhole } from '../operations/exports/whole.ts';
import { listUsers } from '../provision/users.ts';
import type { Context } from './context.ts';
import { yamlOf } from './manifest.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { prepareFolder, writeFileOf, writeIndex, type FileOfFolder } from './whole-folder.ts';
import { noteSharedFolder } from './written-file.ts';

/** The flags of `kith export --all`. */
export interface WholeExportOptions {
  readonly org?: string;
  readonly all: string;
  readonly force?: boolean;
}

/** Writes the whole workspace, as an admin sees it, and answers with the number of lines of each file. */
export async function exportWhole(
  context: Context,
  { org, all: folder, force = false }: WholeExportOptions,
): Promise<Answer> {
  const desk = await context.desk(org);
  await prepareFolder(folder, force);
  await noteSharedFolder(`${folder}/index.json`, context.note);
  const madeAt = new Date().toISOString();
  const progress = createProgress(process.stderr, process.env);
  const files: FileOfFolder[] = [];
  try {
    const manifest = await yamlOf(await desk.perform(pullManifest, {}));
    files.push(await writeFileOf(folder, 'manifest.yaml', (write) => write(manifest)));
    files.push(await writeUsers(context, desk, folder));
    for (const part of (await desk.perform(partsOfWhole, {})).parts as readonly PartOfWhole[])
      files.push(await writePart({ desk, folder, part, progress, signal: context.interruption }));
  } finally {
    progress.clear();
  }
  const organization = desk.session.model.organizationName;
  await writeFileOf(folder, 'README.txt', (write) => write(readme(organization, madeAt)));
  await writeIndex(folder, { organization, madeAt, madeBy: `kith ${ownVersion()}`, files });
  const listed = files.flatMap(({ file, rows }) => (rows === undefined ? [] : [{ file, rows }]));
  return { value: { folder, files: listed }, text: textOf({ files: listed }, terminalWidth()) };
}

/** Users by address, without credentials. */
async function writeUsers(context: Context, { session }: Desk, folder: string): Promise<FileOfFolder> {
  const { users } = await listUsers(context.provision, session.model.organizationId);
  const lines = users.map(
    ({ name, email, role, is_active }) => `${JSON.stringify({ name, email, role, is_active })}\n`,
  );
  const written = await writeFileOf(folder, 'users.ndjson', (write) => write(lines.join('')));
  return { ...written, rows: lines.length };
}

interface Writing {
  readonly desk: Desk;
  readonly folder: string;
  readonly part: PartOfWhole;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function writePart({ desk, folder, part: { part, later }, progress, signal }: Writing): Promise<FileOfFolder> {
  const { batches } = await desk.perform(takeOut, { part });
  let rows = 0;
  const written = await writeFileOf(folder, fileOf(part), async (write) => {
    for await (const lines of batches) {
      signal.throwIfAborted();
      await write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      rows += lines.length;
      progress.show(rows, undefined);
    }
  });
  return { ...written, rows, ...('object' in part && { object: part.object }), ...(later.length > 0 && { later }) };
}

/** The path of a part within the folder. */
function fileOf(part: Part): string {
  if ('object' in part) return `records/${part.object}.ndjson`;
  return part.part === 'lists' ? 'lists.ndjson' : 'list-entries.ndjson';
}

function readme(organization: string, madeAt: string): string {
  return `${organization}, as it was at ${madeAt}

manifest.yaml        objects, fields, pipelines and roles
users.ndjson         people: name, address, role
records/*.ndjson     a file for each object, and for tasks and notes; a record is a line of JSON
lists.ndjson         lists of records
list-entries.ndjson  what is on them
index.json           which files there are, how many lines each has, and their checksums

A record has its own id; other records are named by their ids, people by their addresses, pipelines and steps by their names.
Private notes, messages, meetings, dashboards, views, webhooks, history and the trash are not in these files.

Into another installation: kith import --all FOLDER
`;
}
