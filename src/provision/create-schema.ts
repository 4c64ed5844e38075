/** Creates an organization's schema with all its tables, without rows. */
import { buildModel } from '../model/build.ts';
import { createTables } from '../model/ddl.ts';
import type { OrganizationRef, StoredModel } from '../model/definition.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { schemaScripts } from './migrations.ts';

/** All tables in one script, which is one round trip. */
export async function createSchema(
  engine: Database['engine'],
  tx: Transaction,
  organization: OrganizationRef,
  stored: StoredModel,
): Promise<void> {
  const model = buildModel(organization, stored);
  const quotedSchema = `"${organization.schema}"`;
  const statements = [
    ...(engine === 'citus' ? ['set local citus.enable_schema_based_sharding = on'] : []),
    `create schema ${quotedSchema}`,
    ...schemaScripts(quotedSchema),
    ...createTables(organization.schema, model),
  ];
  await tx.script(statements.join(';\n'));
}
