/** The documents of a backup, and what can be checked without restoring it. */
import { createHash } from 'node:crypto';
import { errors } from '../errors.ts';
import { isUuid } from '../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import type { StoredModel } from '../model/definition.ts';
import { systemTables } from '../model/system-tables.ts';
import type { Archive, Piece } from './archive.ts';
import type { Content, Table } from './tables.ts';

/** The first document. */
export interface Heading {
  readonly kith: string;
  readonly made_at: string;
}

/** Starts an organization; its tables follow. */
export interface OrganizationHeading {
  readonly id: string;
  readonly datasource: string;
  readonly schema_version: number;
  readonly created_at: string;
  /** Encrypted with the keys of the backup; null if it could not be decrypted when the backup was made. */
  readonly data_key: string | null;
  readonly model: StoredModel;
  /** As in `_organization`; absent in backups of earlier releases. */
  readonly awaited_fields?: readonly string[];
}

/** Facts about an organization in a backup, known after reading all of it. */
export interface BackedUp {
  readonly id: string;
  readonly name: string;
  readonly datasource: string;
  readonly rows: number;
  /** Over the names, columns and contents of its tables: equal for equal organizations, whatever their ids. */
  readonly checksum: string;
  /** False if the organization's secrets are lost, as its data key could not be decrypted when the backup was made. */
  readonly secretsKept: boolean;
}

export interface Contents {
  readonly madeAt: string;
  readonly bytes: number;
  readonly organizations: readonly BackedUp[];
}

/** Tables without rows in a backup. */
export const leftOut: ReadonlySet<string> = new Set(
  systemTables.filter((table) => table.leftOut !== undefined).map(({ name }) => name),
);

/** Reads the pieces of one organization, between two headings. */
export interface Visitor {
  organization(heading: OrganizationHeading): Promise<void>;
  /** `rows` must be read to the end. */
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<void>;
  endOfOrganization(known: BackedUp): Promise<void>;
}

/** Reads a whole backup and checks each table's hash. Throws VALIDATION_ERROR for a damaged one. */
export async function readContents(archive: Archive, visitor?: Visitor): Promise<Contents> {
  const pieces = archive.pieces();
  const heading = documentOf(await pieces.next());
  if (heading?.['kith'] === undefined) throw disordered();
  const organizations: BackedUp[] = [];
  let current: { heading: OrganizationHeading; rows: number; hash: Checksum } | undefined;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    const document = documentOf(next);
    if (document?.['organization'] && !current) {
      current = { heading: headingOf(document['organization']), rows: 0, hash: checksum() };
      await visitor?.organization(current.heading);
    } else if (document?.['table'] && current) {
      const table = tableOf(document['table']);
      const content = await readTable(pieces, table, visitor);
      current.rows += content.rows;
      current.hash.add(table, content);
    } else if (document?.['end'] && current) {
      const { id, datasource, model, data_key } = current.heading;
      const { rows, hash } = current;
      const secretsKept = data_key !== null;
      const known = { id, name: model.name, datasource, rows, checksum: hash.digest(), secretsKept };
      organizations.push(known);
      await visitor?.endOfOrganization(known);
      current = undefined;
    } else throw disordered();
  }
  if (current) throw disordered();
  return { madeAt: String(heading['made_at']), bytes: archive.bytes, organizations };
}

/** Its model is checked when it is restored. */
function headingOf(value: Json): OrganizationHeading {
  if (!isObject(value)) throw disordered();
  const {
    id,
    datasource,
    schema_version: version,
    created_at: createdAt,
    data_key: key,
    model,
    awaited_fields: awaited = [],
  } = value;
  const isHeading =
    isUuid(id) &&
    typeof datasource === 'string' &&
    typeof version === 'number' &&
    typeof createdAt === 'string' &&
    (typeof key === 'string' || key === null) &&
    Array.isArray(awaited) &&
    awaited.every((name) => typeof name === 'string') &&
    isObject(model) &&
    typeof model['name'] === 'string';
  if (!isHeading) throw disordered();
  return value as unknown as OrganizationHeading;
}

function tableOf(value: Json): Table {
  const isPair = (column: Json) =>
    Array.isArray(column) && column.length === 2 && column.every((part) => typeof part === 'string');
  const isTable =
    isObject(value) &&
    typeof value['name'] === 'string' &&
    Array.isArray(value['columns']) &&
    value['columns'].length > 0 &&
    value['columns'].every(isPair);
  if (!isTable) throw disordered();
  return value as unknown as Table;
}

function disordered(): Error {
  return errors.validation('The backup does not follow its own order');
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

/** The checksum of one organization. */
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
