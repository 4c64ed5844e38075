/**
 * Which organizations there are and where they lie. The control schema `kith` holds nothing that is an organization's own,
 * and no statement joins the two: they may lie on different clusters.
 */
import { errors } from '../errors.ts';
import type { Keyring } from '../auth/keys.ts';
import type { Clock } from '../lib/clock.ts';
import { isUuid, newId } from '../lib/id.ts';
import { Lru } from '../lib/lru.ts';
import type { Database, Row } from '../postgres/database.ts';
import { sql, statement, type Sql } from '../postgres/sql.ts';
import { createDatasources, type Connect, type Datasource } from './datasources.ts';

export interface Organization {
  readonly id: string;
  /** As it was when it was made; the organization's own settings say what it is called now. */
  readonly name: string;
  readonly schema: string;
  readonly datasourceId: string;
  /** The last migration that is known to have run; its `_organization` row is the truth. */
  readonly schemaVersion: number;
}

export interface Directory {
  /** The organization, remembered until `forget`; undefined when there is none, or it is not ready yet. */
  organization(id: string): Promise<Organization | undefined>;
  /** As `organization`; throws NOT_FOUND. */
  requireOrganization(id: string): Promise<Organization>;
  /** Every organization that is ready, oldest first. */
  organizations(): Promise<readonly Organization[]>;
  /** Enters an organization in the state `provisioning`, in which nobody sees it, until `activate`. */
  addOrganization(organization: Organization): Promise<void>;
  activate(id: string): Promise<void>;
  setSchemaVersion(id: string, version: number): Promise<void>;
  forget(id: string): void;
  /** The id of the person with that address, who is entered when unknown. */
  personByEmail(email: string, name: string): Promise<string>;
  addToken(tokenId: string, organizationId: string): Promise<void>;
  organizationOfToken(tokenId: string): Promise<Organization | undefined>;
  /** Connects to `url` and registers it; throws VALIDATION_ERROR when the name is taken. */
  addDatasource(name: string, url: string): Promise<Datasource>;
  datasources(): Promise<readonly Datasource[]>;
  /** The database of a datasource; connects when it is first used. */
  databaseOf(organization: Pick<Organization, 'datasourceId'>): Promise<Database>;
  /** Closes what it opened; the main database is not its own. */
  close(): Promise<void>;
}

/** Everything in the control schema goes to the same connections. */
const affinity = 'kith';
const remembered = 10_000;

export interface DirectoryParts {
  /** Holds the control schema; it is the datasource `main` as well. */
  readonly main: Database;
  readonly keyring: Keyring;
  readonly connect: Connect;
  readonly clock: Clock;
}

export function createDirectory({ main, keyring, connect, clock }: DirectoryParts): Directory {
  const known = new Lru<string, Organization>(remembered);
  const datasources = createDatasources({ main, keyring, connect, clock });
  const rows = async (query: Sql) => (await main.run(affinity, statement(query))).rows;

  async function organization(id: string): Promise<Organization | undefined> {
    if (!isUuid(id)) return undefined;
    const cached = known.get(id.toLowerCase());
    if (cached) return cached;
    const [row] = await rows(sql`${active} and id = ${id}::uuid`);
    if (row === undefined) return undefined;
    const found = readOrganization(row);
    known.set(found.id, found);
    return found;
  }

  return {
    ...datasources,
    organization,
    async requireOrganization(id) {
      const found = await organization(id);
      if (found === undefined) throw errors.notFound(`There is no organization ${JSON.stringify(id.slice(0, 80))}`);
      return found;
    },
    organizations: async () => (await rows(sql`${active} order by created_at, id`)).map(readOrganization),
    async addOrganization({ id, name, schema, datasourceId, schemaVersion }) {
      await rows(sql`insert into kith.organizations (id, name, schema_name, datasource_id, schema_version, state, created_at)
        values (${id}::uuid, ${name}, ${schema}, ${datasourceId}::uuid, ${schemaVersion}::integer, 'provisioning',
          to_timestamp(${clock.now() / 1000}))`);
    },
    async activate(id) {
      await rows(sql`update kith.organizations set state = 'active' where id = ${id}::uuid`);
    },
    async setSchemaVersion(id, version) {
      await rows(sql`update kith.organizations set schema_version = ${version}::integer where id = ${id}::uuid`);
      known.delete(id);
    },
    forget: (id) => known.delete(id),
    async personByEmail(email, name) {
      const [row] = await rows(sql`insert into kith.people (id, email, name, created_at)
        values (${newId()}::uuid, ${email.toLowerCase()}, ${name}, to_timestamp(${clock.now() / 1000}))
        on conflict (email) do update set email = excluded.email returning id`);
      return text(row, 0);
    },
    async addToken(tokenId, organizationId) {
      await rows(sql`insert into kith.tokens (id, organization_id) values (${tokenId}::uuid, ${organizationId}::uuid)`);
    },
    async organizationOfToken(tokenId) {
      if (!isUuid(tokenId)) return undefined;
      const [row] = await rows(sql`select organization_id from kith.tokens where id = ${tokenId}::uuid`);
      return row === undefined ? undefined : organization(text(row, 0));
    },
  };
}

const active = sql`select id, name, schema_name, datasource_id, schema_version from kith.organizations where state = 'active'`;

function readOrganization(row: Row): Organization {
  return {
    id: text(row, 0),
    name: text(row, 1),
    schema: text(row, 2),
    datasourceId: text(row, 3),
    schemaVersion: Number(text(row, 4)),
  };
}

/** A column that is never null. */
function text(row: Row | undefined, at: number): string {
  const cell = row?.[at];
  if (typeof cell !== 'string') throw new Error('The control schema lacks a value');
  return cell;
}
