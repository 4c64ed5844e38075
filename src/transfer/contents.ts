/** What a backup holds, document by document, and what can be said of it without restoring it. */
import { createHash } from 'node:crypto';
import { errors } from '../errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { StoredModel } from '../model/definition.ts';
import { readArchive, sizeOf, type Piece } from './archive.ts';
import type { PackedKey } from './data-key.ts';
import type { Content, Table } from './tables.ts';

/** Raised when an older program could not restore what a newer one wrote. */
export const format = 1;

/** The first document. */
export interface Heading {
  readonly kith: string;
  readonly format: number;
  readonly made_at: string;
}

/** Opens an organization; its tables follow. */
export interface OrganizationHeading {
  readonly id: string;
  readonly schema: string;
  readonly datasource: string;
  readonly schema_version: number;
  readonly created_at: string;
  readonly data_key: PackedKey;
  readonly model: StoredModel;
}

/** What is known of an organization in a backup when all of it was read. */
export interface BackedUp {
  readonly id: string;
  readonly name: string;
  readonly datasource: string;
  readonly rows: number;
  /** Of the names, columns and contents of its tables: equal for equal organizations, whatever their ids. */
  readonly checksum: string;
}

export interface Contents {
  readonly madeAt: string;
  readonly bytes: number;
  readonly organizations: readonly BackedUp[];
}

/** Not in a backup: settings have their place in the heading; tokens, kept answers and counted uses are of no use elsewhere. */
export const leftOut: ReadonlySet<string> = new Set(['_organization', '_tokens', '_idempotency', '_uses']);

/** Reads one organization's pieces; called between two headings. */
export interface Visitor {
  organization(heading: OrganizationHeading): Promise<void>;
  /** `rows` has to be read to its end. */
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<void>;
  endOfOrganization(known: BackedUp): Promise<void>;
}

/** Reads a whole backup and checks each table against its hash. Throws VALIDATION_ERROR for a damaged one, NOT_SUPPORTED for a newer format. */
export async function readContents(path: string, visitor?: Visitor): Promise<Contents> {
  const pieces = readArchive(path);
  const heading = documentOf(await pieces.next());
  if (heading?.['kith'] === undefined) throw errors.validation('The file is not a backup of Kith');
  if (Number(heading['format']) > format)
    throw errors.notSupported('The backup was made by a newer Kith: use that one');
  const organizations: BackedUp[] = [];
  let current: { heading: OrganizationHeading; rows: number; hash: Checksum } | undefined;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    const document = documentOf(next);
    // Only Kith writes these documents, and the hash of the file says that nobody has changed them.
    if (document?.['organization']) {
      current = { heading: document['organization'] as unknown as OrganizationHeading, rows: 0, hash: checksum() };
      await visitor?.organization(current.heading);
    } else if (document?.['table'] && current) {
      const table = document['table'] as unknown as Table;
      const content = await readTable(pieces, table, visitor);
      current.rows += content.rows;
      current.hash.add(table, content);
    } else if (document?.['end'] && current) {
      const { id, datasource, model } = current.heading;
      const known = { id, name: model.name, datasource, rows: current.rows, checksum: current.hash.digest() };
      organizations.push(known);
      await visitor?.endOfOrganization(known);
      current = undefined;
    } else throw errors.validation('The backup does not follow its own order');
  }
  return { madeAt: String(heading['made_at']), bytes: await sizeOf(path), organizations };
}

async function readTable(pieces: AsyncIterator<Piece>, table: Table, visitor: Visitor | undefined): Promise<Content> {
  const hash = createHash('sha256');
  let stated: JsonObject | undefined;
  async function* rows(): AsyncGenerator<Buffer, void, undefined> {
    while (!stated) {
      const { value } = await pieces.next();
      if (value?.kind === 'rows') {
        hash.update(value.bytes);
        yield value.bytes;
      } else stated = value?.kind === 'document' ? value.value : {};
    }
  }
  if (visitor) await visitor.table(table, rows());
  else for await (const _ of rows());
  const content = { rows: Number(stated?.['rows']), sha256: hash.digest('hex') };
  if (stated?.['sha256'] !== content.sha256) throw errors.validation(`Table ${table.name} of the backup is damaged`);
  return content;
}

interface Checksum {
  add(table: Table, content: Content): void;
  digest(): string;
}

/** Of one organization. */
export function checksum(): Checksum {
  const hash = createHash('sha256');
  return {
    add: ({ name, columns }, { rows, sha256 }) => void hash.update(JSON.stringify([name, columns, rows, sha256])),
    digest: () => hash.digest('hex'),
  };
}

function documentOf({ value }: IteratorResult<Piece, void>): JsonObject | undefined {
  return value?.kind === 'document' ? value.value : undefined;
}
