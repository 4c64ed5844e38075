/** `kith explain`: which rule decides, and why. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { apply, create } from '../api/records.ts';
import { addRole } from '../api/workspace.ts';
import { kithJson } from '../cli/in-process.ts';
import { kithSecret, startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';

let kith: TestKith;
let organization: TestOrganization;
let rep: Client;
let env: NodeJS.ProcessEnv;
const emails = new Map<string, string>();

const software = { type: 'AND' as const, conditions: [{ field: 'industry', operator: 'equals', value: 'software' }] };

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  env = {
    DATABASE_URL: kith.database.url,
    KITH_DATA_DIR: mkdtempSync(join(tmpdir(), 'kith-explain-')),
    KITH_SECRET_KEY: kithSecret,
  };
  await addRole(kith, organization, 'Rep', {
    '*': { view: 'all', create: true, update: 'own' },
    companies: { view: software, create: false },
  });
  rep = await organization.user('Rep');
  const users = (await organization.admin.get('/users')).json.data as { id: string; email: string }[];
  for (const { id, email } of users) emails.set(id, email);
});

afterAll(async () => {
  await kith.stop();
  rmSync(env['KITH_DATA_DIR'] ?? '', { recursive: true });
});

async function explain(client: Client, object: string, action: string, id?: string, field?: string) {
  const user = emails.get(client.workspaceUserId) ?? '';
  const args = ['explain', '--org', organization.id, '--user', user, '--object', object, '--action', action];
  return kithJson(
    [...args, ...(id === undefined ? [] : ['--id', id]), ...(field === undefined ? [] : ['--field', field])],
    env,
  );
}

describe('kith explain', () => {
  it('names the entry that decides, and how the record stands to it', async () => {
    const { admin } = organization;
    const retail = await create(admin, 'companies', { name: 'Shop', industry: 'retail' });
    const { json, code } = await explain(rep, 'companies', 'update', retail.id);
    expect(code).toBe(0);
    expect(json).toEqual({
      allowed: false,
      rule: { role: 'Rep', action: 'view', entry: 'companies', says: software },
      because: 'industry equals "software" does not hold',
    });
    await admin.put(`/records/companies/${retail.id}`, { industry: 'software' });
    const me = JSON.stringify(rep.workspaceUserId);
    expect((await explain(rep, 'companies', 'update', retail.id)).json).toEqual({
      allowed: false,
      rule: { role: 'Rep', action: 'update', entry: '*', says: 'own' },
      because: `owner equals ${me} does not hold; created_by equals ${me} does not hold`,
    });
    await admin.put(`/records/companies/${retail.id}`, { owner: rep.workspaceUserId });
    expect((await explain(rep, 'companies', 'update', retail.id)).json['allowed']).toBe(true);
  });

  it('says of a field what REST says', async () => {
    const { json, code } = await explain(rep, 'companies', 'update', undefined, 'name');
    expect(code).toBe(0);
    const query = { user: rep.workspaceUserId, object: 'companies', action: 'update', field: 'name' };
    expect(json).toEqual((await organization.admin.get('/explain', query)).json);
    expect(json).toMatchObject({ allowed: true, field: { name: 'name', access: 'write', entry: null } });
  });

  it('says of what no role lifts that it is so, and nothing of what is hidden from whoever asks', async () => {
    const { admin, schema } = organization;
    const note = async ({ workspaceUserId: author }: Client) => {
      const id = newId();
      const query = sql`insert into ${identifier(schema, '_notes')} (id, created_at, updated_at, content, visibility, created_by)
        values (${id}::uuid, now(), now(), 'x', 'private', ${author}::uuid)`;
      await kith.database.database.run(organization.id, statement(query));
      return id;
    };
    const own = await note(admin);
    expect((await explain(admin, 'notes', 'view', own)).json['allowed']).toBe(true);
    expect((await explain(rep, 'notes', 'view', own)).json).toMatchObject({
      allowed: false,
      because: 'Some records of notes are of certain people alone, whatever their roles',
    });
    expect((await explain(rep, 'notes', 'view', await note(rep))).json['code']).toBe('RECORD_NOT_FOUND');
  });

  it('NOTE2-02: tells nothing of the private notes of others that a rule leans on', async () => {
    const { admin } = organization;
    const relationConfig = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'notes' };
    const fields = [
      { name: 'name', type: 'TEXT' },
      { name: 'note_id', type: 'RELATION', relationConfig },
    ];
    const secret = { field: 'note_id.title', operator: 'equals', value: 'Secret plan' };
    const view = { type: 'AND', conditions: [secret] };
    await apply(admin, {
      objects: [{ name: 'cases', displayField: 'name', fields }],
      roles: [
        {
          name: 'Author',
          permissions: { '*': { view: 'all', create: true, update: 'all' }, cases: { create: true, view } },
        },
      ],
    });
    const author = await organization.user('Author');
    const { data } = (await admin.get('/users')).json as { data: { id: string; email: string }[] };
    for (const { id, email } of data) emails.set(id, email);
    const caseOf = async (client: Client, visibility: string): Promise<string> => {
      const note = await client.post('/notes', { content: '<p>Secret plan</p>', data: { visibility } });
      expect(note.status, note.text).toBe(201);
      const made = await client.post('/records/cases', { name: 'Case', note_id: note.json.note_id });
      expect(made.status, made.text).toBe(200);
      return made.json.id;
    };
    const asked = async (id: string) => (await explain(author, 'cases', 'view', id)).json;
    const hidden = await caseOf(author, 'private');
    const without = await create(admin, 'cases', { name: 'Case' });
    expect((await author.get(`/records/cases/${hidden}`)).status).toBe(200);
    const nothing = await asked(without.id);
    expect(nothing['because']).toBe(
      'note_id.title equals "Secret plan" does not hold. Records of notes that are hidden from you are left out here, though the ' +
        'rule counts those that the user sees',
    );
    expect(await asked(hidden)).toEqual(nothing);
    expect(await asked(await caseOf(admin, 'private'))).toEqual(nothing);
    expect((await asked(await caseOf(author, 'workspace')))['allowed']).toBe(true);
  });

  it('knows what the role says nothing of, what needs no record, and an admin', async () => {
    const contact = await create(rep, 'contacts', { first_name: 'A' });
    const answers = [
      await explain(rep, 'contacts', 'delete', contact.id),
      await explain(rep, 'contacts', 'create'),
      await explain(rep, 'companies', 'create'),
      await explain(organization.admin, 'contacts', 'delete', contact.id),
    ].map(({ json }) => [json['allowed'], (json['rule'] as { entry: unknown }).entry]);
    expect(answers).toEqual([
      [false, null],
      [true, '*'],
      [false, 'companies'],
      [true, '*'],
    ]);
    await organization.admin.delete(`/records/contacts/${contact.id}`);
    const trashed = await explain(organization.admin, 'contacts', 'view', contact.id);
    expect(trashed.json).toMatchObject({ allowed: false, because: 'The record is in the trash' });
  });

  it('refuses what it cannot find', async () => {
    expect((await explain(rep, 'contact', 'create')).json['code']).toBe('INVALID_OBJECT');
    expect((await explain(rep, 'contacts', 'view')).json['code']).toBe('MISSING_REQUIRED_FIELD');
    expect((await explain(rep, 'contacts', 'view', organization.id)).json['code']).toBe('RECORD_NOT_FOUND');
  });
});
