/** How much an organization can have: what is beyond already keeps working, and only adding to it is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caps } from '../../src/model/caps.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { createToken, listTokens, revokeToken } from '../../src/provision/tokens.ts';
import { createUser } from '../../src/provision/users.ts';
import { codeOf } from '../support/engine.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
});
afterAll(() => kith.stop());

const names = (count: number, name = 'n') => Array.from({ length: count }, (_, at) => ({ name: `${name}${at}` }));
const texts = (count: number) => names(count, 'f').map((field) => ({ ...field, type: 'TEXT' }));
const chain = (length: number) =>
  names(length + 1, 'f')
    .slice(1)
    .map(({ name }, at) => ({
      name,
      type: 'DEPENDENT_RELATION',
      dependsOn: `f${at}`,
      relationConfig: { targetObjectName: 'things' },
    }));
const table = (name: string) => identifier(organization.schema, name);
const run = (query: Sql) => kith.database.database.run(organization.id, statement(query));
const newModel = () => run(sql`update ${table('_organization')} set model_version = model_version + 1`);

describe('a manifest', () => {
  it.each<[string, object, string, string]>([
    [
      'objects',
      { objects: names(caps.objects + 1) },
      'objects',
      'would be 201 objects beside the built-in ones; at most 200',
    ],
    [
      'fields of an object',
      { objects: [{ name: 'things', fields: texts(499) }] },
      'objects[0].fields',
      'would be 501 fields',
    ],
    [
      'fields of all objects',
      { objects: names(21, 'o').map((object) => ({ ...object, fields: texts(490) })) },
      'objects',
      'fields of all objects together; at most 10,000',
    ],
    [
      'fields of links',
      {
        objects: names(1, 'o').map((object) => ({
          ...object,
          fields: names(300, 'm').map((field) => ({
            ...field,
            type: 'MANY_TO_MANY',
            relationConfig: { targetObjectName: 'companies' },
            junctionFields: texts(40),
          })),
        })),
      },
      'objects',
      'fields of all objects together',
    ],
    [
      'fields of links of an object',
      {
        objects: [
          {
            name: 'things',
            fields: names(3, 'm').map((field) => ({
              ...field,
              type: 'MANY_TO_MANY',
              relationConfig: { targetObjectName: 'companies' },
              junctionFields: texts(33),
            })),
          },
        ],
      },
      'objects[0].fields',
      'would be 102 fields of links: MANY_TO_MANY, with their junction fields; at most 100',
    ],
    [
      'dependent relations in a row',
      {
        objects: [
          {
            name: 'things',
            fields: [{ name: 'f0', type: 'RELATION', relationConfig: { targetObjectName: 'things' } }, ...chain(11)],
          },
        ],
      },
      'objects[0].fields',
      'would be 11 dependent relations in a row; at most 10',
    ],
    [
      'options',
      {
        objects: [
          {
            name: 'things',
            fields: [{ name: 's', type: 'SELECT', options: names(2_001).map(({ name }) => ({ value: name })) }],
          },
        ],
      },
      'objects[0].fields[0].options',
      'must have at most 2000 entries',
    ],
    [
      'text',
      {
        objects: [
          {
            name: 'things',
            fields: names(30, 's').map((field) => ({
              ...field,
              type: 'SELECT',
              options: names(1_000, 'o'.repeat(60)).map(({ name }) => ({ value: name, label: name })),
            })),
          },
        ],
      },
      'objects',
      'characters of JSON, with all that fields, pipelines and roles say; at most 4,000,000',
    ],
    [
      'roles',
      { roles: names(98).map((role) => ({ ...role, permissions: {} })) },
      'roles',
      'would be 101 roles; at most 100',
    ],
    [
      'pipelines',
      {
        pipelines: names(50).map((pipeline) => ({ ...pipeline, objectName: 'opportunities', steps: [{ name: 'a' }] })),
      },
      'pipelines',
      'would be 51 pipelines of opportunities; at most 50',
    ],
    [
      'steps',
      { pipelines: [{ name: 'P', objectName: 'opportunities', steps: names(51) }] },
      'pipelines[0].steps',
      'would be 51 steps; at most 50',
    ],
  ])('adds no more %s than there can be', async (_, manifest, place, message) => {
    const reply = await admin.post('/manifest?dry_run=true', manifest);
    expect(reply.status, reply.text.slice(0, 300)).toBe(400);
    const problems: { field: string; message: string }[] = reply.json.field_errors;
    expect(problems.find(({ field }) => field === place)?.message).toContain(message);
  });

  it('takes as many as there can be', async () => {
    const roles = { roles: names(97).map((role) => ({ ...role, permissions: {} })) };
    const reply = await admin.post('/manifest?dry_run=true', roles);
    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
  });

  it('may change and remove what is beyond', async () => {
    await run(sql`insert into ${table('_roles')} (id, name, is_admin, permissions, position)
      select gen_random_uuid(), 'Old ' || n, false, '{}', 100 + n from generate_series(1, 120) n`);
    await newModel();
    const role = (name: string, more: object = {}) => ({
      roles: [{ name, permissions: { '*': { view: 'all' } }, ...more }],
    });
    expect((await admin.post('/manifest', role('Old 7'))).status).toBe(200);
    expect((await admin.post('/manifest', role('New'))).json?.message).toContain('would be 124 roles; at most 100');
    expect((await admin.post('/manifest', { roles: [{ name: 'Old 8', absent: true }] })).status).toBe(200);
    expect((await admin.get('/records/companies')).status).toBe(200);
  });
});

describe('lists', () => {
  const create = () => admin.post('/records/companies', { name: 'x', create_list_name: 'One more' });

  it('are as many as there can be, also when several are created at once', async () => {
    await run(sql`insert into ${table('_lists')} (id, name, object_types, created_by, created_at, updated_at)
      select gen_random_uuid(), 'List ' || n, array['companies'], ${admin.workspaceUserId}::uuid, now(), now()
      from generate_series(1, ${caps.lists - 1}::int) n`);
    const replies = await Promise.all(Array.from({ length: 6 }, create));
    expect(replies.map(({ json }) => json.action)).toEqual(Array.from({ length: 6 }, () => 'created'));
    const errors = replies.map(({ json }) => json.create_list_error).filter(Boolean);
    expect(errors).toEqual(Array.from({ length: 5 }, () => 'There can be at most 1,000 lists in an organization'));
    expect((await run(sql`select count(*) from ${table('_lists')}`)).rows[0]?.[0]).toBe('1000');
  });
});

describe('users and tokens', () => {
  it('are as many as there can be', async () => {
    const { deps } = kith;
    const email = 'tokens@kith.test';
    const { workspaceUserId } = await createUser(deps, organization.id, { name: 'T', email, role: 'Member' });
    await run(sql`insert into ${table('_tokens')} (id, workspace_user_id, name, scopes, created_at, expires_at, app, connected_until)
      select gen_random_uuid(), ${workspaceUserId}::uuid, 'x', '{}', now(),
          case when of_app then now() - interval '1 hour' end, case when of_app then '{}'::jsonb end,
          case when of_app then now() + interval '1 hour' end
        from generate_series(2, ${caps.tokensOfUser}::int) n, lateral (select n % 2 = 0 as of_app) o`);
    const again = () => createToken(deps, organization.id, { email, name: 'one more' });
    expect(await codeOf(again())).toBe('VALIDATION_ERROR');
    const { tokens } = await listTokens(deps, organization.id);
    const first = tokens.find((token) => token.email === email && token.name === 'First token');
    await revokeToken(deps, first?.id ?? '');
    const made = await Promise.allSettled([again(), again(), again()]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await run(sql`insert into ${table('_users')} (id, user_id, name, email, role_id, is_active, search_text, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), 'U', 'u' || n || '@kith.test', u.role_id, true, '', now(), now()
      from generate_series((select count(*)::int + 1 from ${table('_users')}), ${caps.users}::int) n, ${table('_users')} u
      where u.id = ${workspaceUserId}::uuid`);
    const user = createUser(deps, organization.id, { name: 'V', email: 'v@kith.test', role: 'Member' });
    await expect(user).rejects.toThrow('There can be at most 10,000 users in an organization');
  });
});
