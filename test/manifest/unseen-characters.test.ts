/** Names and labels have no characters that nobody sees, wherever they come in; those that are there already stay as they are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { expectError } from '../api/records.ts';
import { run } from '../api/workspace.ts';
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

/** What looks like `Big deals`, and what is said of it. */
const lookalikes: readonly (readonly [string, string])[] = [
  ['Big\u00A0deals', 'must have plain spaces only: U+00A0 is none'],
  ['Big  deals', 'must not have two spaces in a row'],
  ['Big deals ', 'must not begin or end with a space'],
  ['Big\u2800deals', 'must have visible characters only: U+2800 is none'],
  ['Big deals\u{E0020}', 'must have visible characters only: U+E0020 is none'],
  ['Big deals\u3164', 'must have visible characters only: U+3164 is none'],
];

const turned = 'Sales\u202Eselas';
const cleared = 'Sales\u001B[2J';
const select = (option: object) => ({ name: 'kind', type: 'SELECT', options: [option] });
const things = (more: object, ...fields: object[]) => ({
  objects: [{ name: 'things', ...more, fields: [{ name: 'name', type: 'TEXT' }, ...fields] }],
});
const pipeline = (name: string, step: string) => ({
  pipelines: [{ name, objectName: 'opportunities', steps: [{ name: step }] }],
});
const links = (part: object) => ({
  name: 'people',
  type: 'MANY_TO_MANY',
  relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
  junctionFields: [{ name: 'role', ...part }],
});

it.each(lookalikes)('%j looks like another name: it %s', async (text, problem) => {
  for (const manifest of [
    things({ label: text }),
    things({}, { name: 'f', type: 'TEXT', label: text }),
    things({}, select({ value: 'x', label: text })),
    pipeline(text, 'One'),
    pipeline('P', text),
    { roles: [{ name: text, permissions: {} }] },
  ]) {
    const reply = await admin.post('/manifest', manifest);
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.field_errors, reply.text).toEqual([
      { field: expect.any(String), message: expect.stringContaining(problem) },
    ]);
  }
});

it('a user goes by a name without the spaces around it', async () => {
  const user = (name: string) =>
    createUser(kith.deps, organization.id, { name, email: 'anna@kith.test', role: 'Member' });
  await expect(user('Anna  Lee')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'name must not have two spaces in a row',
  });
  const { workspaceUserId } = await user(' Anna Lee ');
  const { data } = (await admin.get('/users', { search: 'anna' })).json;
  expect(data).toMatchObject([{ id: workspaceUserId, name: 'Anna Lee' }]);
});

it('a new list goes by its name without the spaces around it', async () => {
  const reply = await admin.post('/records/contacts', { first_name: 'A', create_list_name: ' Big deals ' });
  expect([reply.status, reply.json.created_list?.name], reply.text).toEqual([200, 'Big deals']);
  const refused = await admin.post('/records/contacts', { first_name: 'A', create_list_name: 'Big  deals' });
  expect(refused.json.message).toBe('create_list_name must not have two spaces in a row');
  await admin.delete(`/records/contacts/${reply.json.id}`);
});

describe.each([turned, cleared, 'Sa\u200Bles', 'Sal\uFEFFes', 'Sal\u0085es', 'Sales\u2066'])('%j', (text) => {
  it.each<[string, object]>([
    ['organization.name', { organization: { name: text } }],
    ['objects[0].label', things({ label: text })],
    ['objects[0].labelSingular', things({ labelSingular: text })],
    ['objects[0].fields[1].label', things({}, { name: 'f', type: 'TEXT', label: text })],
    ['objects[0].fields[1].options[0].value', things({}, select({ value: text, label: 'x' }))],
    ['objects[0].fields[1].options[0].label', things({}, select({ value: 'x', label: text }))],
    ['objects[0].fields[1].junctionFields[0].label', things({}, links({ type: 'TEXT', label: text }))],
    [
      'objects[0].fields[1].junctionFields[0].options[0].label',
      things({}, links({ type: 'SELECT', options: [{ value: 'x', label: text }] })),
    ],
    ['pipelines[0].name', pipeline(text, 'One')],
    ['pipelines[0].steps[0].name', pipeline('P', text)],
    ['roles[0].name', { roles: [{ name: text, permissions: {} }] }],
  ])('is no %s of a manifest', async (place, manifest) => {
    const reply = await admin.post('/manifest', manifest);
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.field_errors).toEqual([
      { field: place, message: expect.stringMatching(/must have visible characters only: U\+[0-9A-F]{4} is none$/) },
    ]);
  });

  it('names no organization, user, token or list', async () => {
    const { deps } = kith;
    const refused = { code: 'VALIDATION_ERROR', message: expect.stringContaining('visible characters') };
    const email = 'eve@kith.test';
    await expect(createOrganization(deps, { name: text, adminName: 'Ada', adminEmail: email })).rejects.toMatchObject(
      refused,
    );
    await expect(createOrganization(deps, { name: 'Co', adminName: text, adminEmail: email })).rejects.toMatchObject(
      refused,
    );
    await expect(createUser(deps, organization.id, { name: text, email, role: 'Member' })).rejects.toMatchObject(
      refused,
    );
    await expect(
      createUser(deps, organization.id, { name: 'Eve', email: `${text}@kith.test`, role: 'Member' }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const { json } = await admin.get('/users');
    const known = json.data[0].email;
    await expect(updateUser(deps, organization.id, known, { name: text })).rejects.toMatchObject(refused);
    await expect(createToken(deps, organization.id, { email: known, name: text })).rejects.toMatchObject(refused);
    expectError(await admin.post('/records/contacts', { first_name: 'A', create_list_name: text }), 'VALIDATION_ERROR');
    expect((await admin.get('/records/contacts')).json.total).toBe(0);
  });

  it('is as good a value of a record as any', async () => {
    const reply = await admin.post('/records/companies', { name: text });
    expect([reply.status, reply.json.record?.name]).toEqual([200, text]);
    await admin.delete(`/records/companies/${reply.json.id}`);
  });
});

it('stays where it was before', async () => {
  const other = await kith.organization();
  const member = await other.user('Member');
  const table = (name: string) => identifier(other.schema, name);
  await run(kith, other, sql`update ${table('_roles')} set name = ${turned} where name = 'Viewer'`);
  await run(kith, other, sql`update ${table('_pipelines')} set name = ${cleared}`);
  const label = sql`jsonb_set(definition, '{label}', to_jsonb(${turned}::text))`;
  await run(kith, other, sql`update ${table('_fields')} set definition = ${label} where name = 'industry'`);
  await run(kith, other, sql`update ${table('_organization')} set model_version = model_version + 1`);
  const pulled = (await other.admin.get('/manifest')).json;
  expect(JSON.stringify(pulled)).toContain(JSON.stringify(cleared).slice(1, -1));
  expect((await other.admin.post('/manifest', pulled.manifest ?? pulled)).json).toEqual({ changes: [] });
  const { data } = (await other.admin.get('/users')).json;
  await updateUser(kith.deps, other.id, data[1].email, { role: turned });
  expect((await member.get('/records/companies')).status).toBe(200);
  const changed = await other.admin.post('/manifest', {
    roles: [{ name: turned, permissions: { '*': { view: 'own' } } }],
  });
  expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('permissions')]);
  const renamed = { roles: [{ name: `${turned}\u200B`, renamedFrom: turned }] };
  expectError(await other.admin.post('/manifest', renamed), 'VALIDATION_ERROR');
});
