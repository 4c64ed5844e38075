/** Creates an organization: its schema with the built-in objects, its first user and that user's token. */
import { theOperator, theService, type AuditAuthor } from '../audit/event.ts';
import { newDataKey } from '../auth/data-key.ts';
import { newId } from '../lib/id.ts';
import { currencyProblem, timeZoneProblem } from '../lib/standards.ts';
import { builtInModel } from '../model/built-ins.ts';
import type { StoredModel } from '../model/definition.ts';
import { schemaName } from '../model/names.ts';
import { insertObjects, insertPipelines, insertRoles } from '../model/store.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { leaveAudit } from './audit.ts';
import { emailProblem, nameProblem, refuseProblems } from './checks.ts';
import { createSchema } from './create-schema.ts';
import type { ProvisionDeps } from './deps.ts';
import { allMigrations, latestVersion } from './migrations.ts';
import { insertToken, newToken, signRow, tokenSubject, type TokenRow } from './token-row.ts';
import { insertUser, type CreatedUser } from './users.ts';

export interface NewOrganization {
  readonly name: string;
  readonly adminName: string;
  readonly adminEmail: string;
  /** ISO 4217; defaults to USD. */
  readonly currency?: string;
  /** IANA name; defaults to UTC. */
  readonly timezone?: string;
  /** The name of a datasource; defaults to `main`. */
  readonly datasource?: string;
  /** For a demo to be filled: the day around which its dates are placed, as `2026-01-31`. */
  readonly demoDay?: string;
}

export interface CreatedOrganization extends CreatedUser {
  readonly organizationId: string;
  readonly schemaName: string;
  readonly datasourceId: string;
}

/**
 * Creates an organization and its first token. Throws VALIDATION_ERROR for an invalid name, address, currency, time
 * zone or datasource. The organization is hidden until it is complete.
 */
export async function createOrganization(
  deps: ProvisionDeps,
  input: NewOrganization,
  by: AuditAuthor = input.demoDay === undefined ? theOperator : theService,
): Promise<CreatedOrganization> {
  const token = newToken(deps, { name: 'Admin' });
  const made = await makeOrganization(deps, input, by, token);
  return { ...made, token: await signRow(deps, made.organizationId, token) };
}

/** Creates an organization with the given token, or none where its admin signs in another way. */
export async function makeOrganization(
  deps: ProvisionDeps,
  input: NewOrganization,
  by: AuditAuthor,
  token?: TokenRow,
): Promise<Omit<CreatedOrganization, 'token'>> {
  const { directory } = deps;
  const { name, adminName, adminEmail, currency, timezone } = checked(input);
  const datasource = await directory.datasourceNamed(input.datasource ?? 'main');
  const database = await directory.databaseOf({ datasourceId: datasource.id });
  const stored = builtInModel({ name, currency, timezone });
  const organizationId = newId();
  const schema = schemaName(organizationId);
  const [admin] = stored.roles;
  if (admin === undefined) throw new Error('The built-in roles begin with the admin');

  const schemaVersion = latestVersion(allMigrations.organization);
  const organization = { id: organizationId, name, schema, datasourceId: datasource.id, schemaVersion };
  await directory.addOrganization(organization, input.demoDay);
  const userId = await directory.personByEmail(adminEmail, adminName);
  await directory.addMember(userId, organizationId);
  if (token) await directory.addToken(token.id, organizationId);
  const workspaceUserId = newId();
  const user = { id: workspaceUserId, userId, name: adminName, email: adminEmail, roleId: admin.id, isActive: true };

  await database.transaction(organizationId, async (tx) => {
    await createSchema(database.engine, tx, { id: organizationId, schema }, stored);
    const rows = [
      settingsRow(deps, organizationId, schema, stored, schemaVersion),
      insertRoles(schema, stored.roles),
      ...insertObjects(schema, stored.objects),
      ...insertPipelines(schema, stored.pipelines),
      insertUser(deps, schema, user),
      ...(token ? [insertToken(schema, workspaceUserId, token)] : []),
    ];
    for (const row of rows) await tx.run(statement(row));
    const subject = { user: workspaceUserId, role_id: admin.id };
    await leaveAudit(deps, tx, organization, by, { action: 'organization.created', subject });
    if (token)
      await leaveAudit(deps, tx, organization, by, {
        action: 'token.created',
        subject: tokenSubject(token, workspaceUserId),
      });
  });
  await directory.activate(organizationId);
  return {
    organizationId,
    schemaName: schema,
    datasourceId: datasource.id,
    userId,
    workspaceUserId,
    roleId: admin.id,
  };
}

function checked(input: NewOrganization) {
  const name = input.name.trim();
  const adminName = input.adminName.trim();
  const adminEmail = input.adminEmail.trim();
  const { currency = 'USD', timezone = 'UTC' } = input;
  refuseProblems({
    name: nameProblem(name),
    adminName: nameProblem(adminName),
    adminEmail: emailProblem(adminEmail),
    currency: currencyProblem(currency),
    timezone: timeZoneProblem(timezone),
  });
  return { name, adminName, adminEmail, currency, timezone };
}

function settingsRow(
  { keyring, clock }: ProvisionDeps,
  id: string,
  schema: string,
  stored: StoredModel,
  schemaVersion: number,
): Sql {
  const dataKey = newDataKey(keyring, { id, schema });
  return sql`insert into ${identifier(schema, '_organization')}
    (id, name, currency, timezone, epoch, model_version, schema_version, data_key, created_at)
    values (${id}::uuid, ${stored.name}, ${stored.currency}, ${stored.timezone}, ${stored.epoch}::bigint,
      ${stored.version}::bigint, ${schemaVersion}::integer, ${dataKey}, to_timestamp(${clock.now() / 1000}))`;
}
