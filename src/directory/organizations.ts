/** The organizations and their locations. */
import { errors, quoted } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { isUuid } from '../lib/id.ts';
import { bytesOfText, Lru } from '../lib/lru.ts';
import type { Database, Row } from '../postgres/database.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { controlRows, textOf } from './control.ts';
import { wakeAll } from './due.ts';

export interface Organization {
  readonly id: string;
  /** The name at creation; the organization's own settings have its current one. */
  readonly name: string;
  readonly schema: string;
  readonly datasourceId: string;
  /** The last migration known to have run; the truth is in its `_organization` row. */
  readonly schemaVersion: number;
}

export interface Organizations {
  /** The organization, cached until `forget`; undefined where it does not exist or is not ready. */
  organization(id: string): Promise<Organization | undefined>;
  /** As `organization`; throws NOT_FOUND. */
  requireOrganization(id: string): Promise<Organization>;
  /** All ready organizations, oldest first. */
  organizations(): Promise<readonly Organization[]>;
  /**
   * Adds an organization in the state `provisioning`, hidden until `activate`; throws CONFLICT when one with that id
   * is active. With `demoDay` it is a demo to be filled.
   */
  addOrganization(organization: Organization, demoDay?: string): Promise<void>;
  /** Whether it was added and is not active yet. */
  isBegun(id: string): Promise<boolean>;
  /** Makes it visible, and has its jobs checked. */
  activate(id: string): Promise<void>;
  /** Returns to the state before `activate`: hidden. */
  withdraw(id: string): Promise<void>;
  setSchemaVersion(id: string, version: number): Promise<void>;
  /** The demo that must still be filled, with the day around which its dates are placed: `2026-01-31`. */
  unfilledDemo(): Promise<{ readonly organizationId: string; readonly day: string } | undefined>;
  /** Marks the demo as filled: from then on its rows belong to its users. */
  demoIsFilled(id: string): Promise<void>;
  /** The demo organization, filled or not; undefined without one. */
  demo(): Promise<Organization | undefined>;
  forget(id: string): void;
}

/** Creates the directory of organizations; cached entries may be outdated, and whoever notices calls `forget`. */
export function createOrganizations(main: Database, clock: Clock): Organizations {
  const known = new Lru<string, Organization>({
    name: 'organizations',
    maxBytes: 8 * 1024 * 1024,
    bytesOf: (_id, { name }) => 400 + bytesOfText(name), // three ids and a number
  });

  async function organization(id: string): Promise<Organization | undefined> {
    if (!isUuid(id)) return undefined;
    const cached = known.get(id.toLowerCase());
    if (cached) return cached;
    const [row] = await controlRows(main, sql`${active} and id = ${id}::uuid`);
    if (row === undefined) return undefined;
    const found = readOrganization(row);
    known.set(found.id, found);
    return found;
  }

  return {
    organization,
    async requireOrganization(id) {
      const found = await organization(id);
      if (found === undefined) throw errors.notFound(`There is no organization ${quoted(id)}`);
      return found;
    },
    organizations: async () => (await controlRows(main, sql`${active} order by created_at, id`)).map(readOrganization),
    async addOrganization({ id, name, schema, datasourceId, schemaVersion }, demoDay) {
      const query = sql`insert into kith.organizations
        (id, name, schema_name, datasource_id, schema_version, state, demo_day, members_entered, created_at)
        values (${id}::uuid, ${name}, ${schema}, ${datasourceId}::uuid, ${schemaVersion}::integer, 'provisioning',
          ${demoDay ?? null}::date, true, to_timestamp(${clock.now() / 1000}))
        on conflict (id) do update set name = excluded.name, datasource_id = excluded.datasource_id,
          schema_version = excluded.schema_version where organizations.state = 'provisioning' returning id`;
      if ((await controlRows(main, query)).length === 0)
        throw errors.conflict(`There is an organization ${quoted(id)} already`);
    },
    async isBegun(id) {
      const query = sql`select from kith.organizations where id = ${id}::uuid and state = 'provisioning'`;
      return (await controlRows(main, query)).length > 0;
    },
    activate: async (id) => void (await controlRows(main, activated(id, clock.now()))),
    async withdraw(id) {
      await controlRows(
        main,
        sql`update kith.organizations set state = 'provisioning', demo_day = null where id = ${id}::uuid`,
      );
      known.delete(id);
    },
    async setSchemaVersion(id, version) {
      const query = sql`update kith.organizations set schema_version = ${version}::integer where id = ${id}::uuid`;
      await controlRows(main, query);
      known.delete(id);
    },
    ...demoMark(main),
    forget: (id) => known.delete(id),
  };
}

/** The demo's mark: the day around which its dates are placed; once filled, a day that never comes. */
function demoMark(main: Database): Pick<Organizations, 'unfilledDemo' | 'demoIsFilled' | 'demo'> {
  return {
    async unfilledDemo() {
      const query = sql`select id, to_char(demo_day, 'YYYY-MM-DD') from kith.organizations
        where state = 'active' and isfinite(demo_day) order by id limit 1`;
      const [row] = await controlRows(main, query);
      return row && { organizationId: textOf(row, 0), day: textOf(row, 1) };
    },
    async demoIsFilled(id) {
      await controlRows(main, sql`update kith.organizations set demo_day = 'infinity' where id = ${id}::uuid`);
    },
    async demo() {
      const [row] = await controlRows(main, sql`${active} and demo_day is not null order by id limit 1`);
      return row && readOrganization(row);
    },
  };
}

/** From the same moment its jobs are checked. */
function activated(id: string, now: number): Sql {
  return sql`with active as (update kith.organizations set state = 'active' where id = ${id}::uuid returning id)
    ${wakeAll(sql`select id, to_timestamp(${now / 1000}) from active`)}`;
}

const active = sql`select id, name, schema_name, datasource_id, schema_version from kith.organizations
  where state = 'active'`;

function readOrganization(row: Row): Organization {
  return {
    id: textOf(row, 0),
    name: textOf(row, 1),
    schema: textOf(row, 2),
    datasourceId: textOf(row, 3),
    schemaVersion: Number(textOf(row, 4)),
  };
}
