/** One service with one organization, for the tests of a file that share it. */
import { afterAll, beforeAll } from 'vitest';
import { identifier, type Sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';

/** Set once the tests run. */
export let kith: TestKith;
export let organization: TestOrganization;
export let admin: Client;

/** `prepare` makes what else the tests stand on. */
export function useStage(prepare: () => Promise<void>): void {
  beforeAll(async () => {
    kith = await startKith();
    organization = await kith.organization();
    ({ admin } = organization);
    await prepare();
  });
  afterAll(() => kith.stop());
}

/** A table of the organization. */
export const table = (name: string): Sql => identifier(organization.schema, name);
