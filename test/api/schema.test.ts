/** [spec: Schema; contract: Built-in objects] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';

type Field = {
  name: string;
  type: string;
  options: { value: string; label: string }[] | null;
  relationConfig?: object;
};

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
});
afterAll(() => kith.stop());

const schemaOf = async (object: string): Promise<Reply['json']> => (await admin.get(`/schema/${object}`)).json;

describe('GET /schema', () => {
  it('SCHE-01: answers objects and enums, which is always empty', async () => {
    const reply = await admin.get('/schema');
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual(['objects', 'enums']);
    expect(reply.json.enums).toEqual([]);
    expect(reply.json.objects.map((object: { name: string }) => object.name)).toEqual([
      'contacts',
      'companies',
      'opportunities',
      'tasks',
      'notes',
    ]);
  });

  it('SCHE-01: include_hidden takes true and false, nothing else', async () => {
    const all = (await admin.get('/schema', { include_hidden: true })).json.objects;
    expect(all.filter(({ isHidden }: { isHidden: boolean }) => !isHidden)).toEqual(
      (await admin.get('/schema')).json.objects,
    );
    expect(all.slice(5).map(({ name }: { name: string }) => name)).toEqual(['threads', 'interactions', 'events']);
    expect((await admin.get('/schema', { include_hidden: false })).json.objects).toHaveLength(5);
    expectError(await admin.get('/schema', { include_hidden: 'maybe' }), 'VALIDATION_ERROR');
  });

  it('SO-17: isHidden of a field is a sign to interfaces: it is served and written as any other', async () => {
    const { admin } = await kith.organization();
    const fields = [
      { name: 'name', type: 'TEXT' },
      { name: 'shoe_size', type: 'INTEGER', isHidden: true },
    ];
    await apply(admin, { objects: [{ name: 'rooms', fields }] });
    const found = (await admin.get('/schema/rooms')).json.fields as (Field & { isHidden: boolean })[];
    const hidden = Object.fromEntries(found.map(({ name, isHidden }) => [name, isHidden]));
    expect(hidden).toMatchObject({ name: false, shoe_size: true });
    const { id } = await create(admin, 'rooms', { name: 'R', shoe_size: 42 });
    expect((await admin.get(`/records/rooms/${id}`)).json.record.shoe_size).toBe(42);
  });

  it('SO-08: the fields are those that there are: one that was taken away is told of no more', async () => {
    const { admin } = await kith.organization();
    const rooms = (floor: object) => [
      {
        name: 'rooms',
        fields: [
          { name: 'name', type: 'TEXT' },
          { name: 'floor', ...floor },
        ],
      },
    ];
    await apply(admin, { objects: rooms({ type: 'TEXT' }) });
    const namesOf = async () =>
      (await admin.get('/schema/rooms')).json.fields.map(({ name }: { name: string }) => name) as string[];
    expect(await namesOf()).toEqual(expect.arrayContaining(['name', 'floor']));
    await apply(admin, { objects: rooms({ absent: true }) });
    expect(await namesOf()).toEqual(expect.arrayContaining(['name']));
    expect(await namesOf()).not.toContain('floor');
    const listed = (await admin.get('/schema')).json.objects.find(({ name }: { name: string }) => name === 'rooms');
    expect(listed.fields.map(({ name }: { name: string }) => name)).toEqual(await namesOf());
  });

  it('SO-04: objects of the workspace’s own are not system ones', async () => {
    const { admin } = await kith.organization();
    await apply(admin, { objects: [{ name: 'projects', fields: [{ name: 'name', type: 'TEXT' }] }] });
    const { objects } = (await admin.get('/schema')).json;
    const isSystem = objects.map(({ name, isSystem: is }: { name: string; isSystem: boolean }) => [name, is]);
    expect(isSystem).toEqual([
      ...['contacts', 'companies', 'opportunities', 'tasks', 'notes'].map((name) => [name, true]),
      ['projects', false],
    ]);
    expect((await admin.get('/schema/projects')).json.isSystem).toBe(false);
  });

  it('SO-06: iconName is what the object declares, or null', async () => {
    const { admin } = await kith.organization();
    const fields = [{ name: 'name', type: 'TEXT' }];
    await apply(admin, {
      objects: [
        { name: 'plain', fields },
        { name: 'drawn', fields, iconName: 'folder' },
      ],
    });
    const iconOf = async (name: string) => (await admin.get(`/schema/${name}`)).json.iconName;
    expect([await iconOf('plain'), await iconOf('drawn')]).toEqual([null, 'folder']);
  });

  it('a hidden object shows with include_hidden alone', async () => {
    const { admin, id, schema } = await kith.organization();
    const run = (text: string) => kith.database.database.run(id, { text, values: [] });
    await run(
      `update "${schema}"._objects set definition = definition || '{"isHidden":true}' where name = 'companies'`,
    );
    await run(`update "${schema}"._organization set model_version = model_version + 1`);
    const names = async (query: object) =>
      (await admin.get('/schema', { ...query })).json.objects.map((object: { name: string }) => object.name);
    expect(await names({})).toEqual(['contacts', 'opportunities', 'tasks', 'notes']);
    expect(await names({ include_hidden: true })).toEqual([
      ...['contacts', 'companies', 'opportunities', 'tasks', 'notes'],
      ...['threads', 'interactions', 'events'],
    ]);
  });
});

it.each(['contacts', 'companies', 'opportunities'])(
  'RECO-01 to 03: a record of %s has its id and the fields that the schema names, and nothing else',
  async (object) => {
    const record = await create(admin, object, { [object === 'contacts' ? 'first_name' : 'name']: 'x' });
    const fields: Field[] = (await schemaOf(object)).fields;
    // A PIPELINE stands in three columns; what is an id has its display beside it.
    const position = ['pipeline_id', 'pipeline_step_id', 'pipeline_step_entered_at'];
    const named = fields.flatMap(({ name, type }) => (type === 'PIPELINE' ? position : [name]));
    const keys = Object.keys(record).filter((key) => !key.endsWith('_display'));
    expect(keys.toSorted()).toEqual(['id', ...named].toSorted());
    const displays = Object.keys(record).filter((key) => key.endsWith('_display'));
    for (const display of displays) expect(named).toContain(display.slice(0, -'_display'.length));
  },
);

describe('GET /schema/{object}', () => {
  it('SCHE-02: is the object of the list', async () => {
    for (const object of (await admin.get('/schema')).json.objects) expect(await schemaOf(object.name)).toEqual(object);
  });

  it.each(['nothing', 'Contacts', '_users', '_tasks'])('SCHE-02: %s is 404 INVALID_OBJECT', async (name) => {
    const reply = await admin.get(`/schema/${name}`);
    expectError(reply, 'INVALID_OBJECT', 404);
    expect(reply.json.available_values).toEqual(['contacts', 'companies', 'opportunities', 'tasks', 'notes']);
  });

  it('has the properties of a schema object and of a schema field', async () => {
    const { fields, ...object } = await schemaOf('companies');
    expect(object).toEqual({
      name: 'companies',
      label: 'Companies',
      labelSingular: 'Company',
      isSystem: true,
      isHidden: false,
      iconName: 'building',
      color: '#10b981',
    });
    expect(fields[0]).toEqual({
      name: 'name',
      label: 'Name',
      type: 'TEXT',
      isRequired: true,
      isReadonly: false,
      isSearchable: true,
      isHidden: false,
      defaultValue: null,
      isUnique: false,
      options: null,
    });
  });

  it('defaultValue is text or null', async () => {
    const { fields } = await schemaOf('contacts');
    const values = new Map(fields.map((field: Field & { defaultValue: unknown }) => [field.name, field.defaultValue]));
    expect(values.get('do_not_contact')).toBe('false');
    expect(values.get('first_name')).toBe(null);
  });

  it('options are there for SELECT and MULTI_SELECT alone, relationConfig for relations alone', async () => {
    for (const name of ['contacts', 'companies', 'opportunities']) {
      for (const field of (await schemaOf(name)).fields as Field[]) {
        expect(Array.isArray(field.options), field.name).toBe(['SELECT', 'MULTI_SELECT'].includes(field.type));
        expect('relationConfig' in field, field.name).toBe(['RELATION', 'MANY_TO_MANY'].includes(field.type));
      }
    }
    const { fields } = await schemaOf('opportunities');
    const find = (name: string): Field => fields.find((field: Field) => field.name === name);
    expect(find('company_id').relationConfig).toEqual({
      relationType: 'BELONGS_TO_ONE',
      targetObjectName: 'companies',
    });
    expect(find('contacts').relationConfig).toEqual({ relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' });
    expect(find('source').options?.[0]).toEqual({ value: 'inbound', label: 'Inbound' });
  });

  it('SO-22: an option has a value, a label, and a color where it was given one', async () => {
    const options = [{ value: 'a', label: 'A', color: '#10b981' }, { value: 'b' }];
    await apply(admin, { objects: [{ name: 'contacts', fields: [{ name: 'grade', type: 'SELECT', options }] }] });
    const fields: Field[] = (await schemaOf('contacts')).fields;
    expect(fields.find(({ name }) => name === 'grade')?.options).toEqual([
      { value: 'a', label: 'A', color: '#10b981' },
      { value: 'b', label: 'B' },
    ]);
  });

  it('RECO-02: every option that it names can be written', async () => {
    const options = (await schemaOf('companies')).fields.find((field: Field) => field.name === 'industry').options;
    for (const { value } of options.slice(0, 5)) {
      expect((await create(admin, 'companies', { name: value, industry: value })).industry).toBe(value);
    }
  });
});

const builtIn: Record<string, Record<string, string>> = {
  contacts: {
    first_name: 'TEXT',
    last_name: 'TEXT',
    full_name: 'CALCULATED',
    emails: 'EMAILS',
    phones: 'PHONES',
    job_title: 'TEXT',
    company_id: 'RELATION',
    linkedin_url: 'URL',
    address: 'ADDRESS',
    tags: 'MULTI_SELECT',
    birthday: 'DATE',
    do_not_contact: 'BOOLEAN',
    owner: 'USERS',
    created_by: 'USERS',
  },
  companies: {
    name: 'TEXT',
    domain: 'URL',
    industry: 'SELECT',
    employees: 'INTEGER',
    annual_revenue: 'CURRENCY',
    phones: 'PHONES',
    linkedin_url: 'URL',
    address: 'ADDRESS',
    description: 'LONG_TEXT',
    owner: 'USERS',
    created_by: 'USERS',
  },
  opportunities: {
    name: 'TEXT',
    amount: 'CURRENCY',
    probability: 'PERCENT',
    close_date: 'DATE',
    source: 'SELECT',
    company_id: 'RELATION',
    contacts: 'MANY_TO_MANY',
    pipeline: 'PIPELINE',
    owner: 'USERS',
    created_by: 'USERS',
  },
};

describe('built-in objects', () => {
  it.each(Object.entries(builtIn))('%s has the fields of the contract', async (object, types) => {
    const fields: Field[] = (await schemaOf(object)).fields;
    expect(Object.fromEntries(fields.map((field) => [field.name, field.type]))).toMatchObject(types);
    const required = fields.filter((field) => 'isRequired' in field && field.isRequired).map((field) => field.name);
    expect(required).toEqual(object === 'contacts' ? [] : ['name']);
    const readonly = fields.filter((field) => 'isReadonly' in field && field.isReadonly).map((field) => field.name);
    expect(readonly).toEqual(
      expect.arrayContaining(object === 'contacts' ? ['full_name', 'created_by'] : ['created_by']),
    );
    expect(readonly).not.toContain('owner');
  });
});

describe('tasks and notes', () => {
  it('are read-only in what no write of theirs takes, in the schema, the permissions and what explains them', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Ada' });
    const { task_id: task } = (await admin.post('/tasks', { title: 'x' })).json;
    const { note_id: note } = (await admin.post('/notes', { content: 'x' })).json;
    const linked = (type: string, id: string) => ({ linked_entities: [{ id, type }] });
    const links = {
      contacts: linked('contacts', contact.id),
      companies: linked('companies', (await create(admin, 'companies', { name: 'x' })).id),
      opportunities: linked('opportunities', (await create(admin, 'opportunities', { name: 'x' })).id),
    };
    const writes: Record<string, Record<string, () => Promise<Reply>>> = {
      tasks: {
        ...puts(`/tasks/${task}`, {
          title: { title: 'y' },
          due_date: { due_date: '2030-01-01' },
          priority: { priority: 'low' },
          action_type: { action_type: 'call' },
          assigned_to_id: { assigned_to_id: admin.workspaceUserId },
          ...links,
        }),
        is_completed: () => admin.put(`/tasks/${task}/complete`),
      },
      notes: puts(`/notes/${note}`, {
        content: { content: 'y' },
        visibility: { data: { visibility: 'workspace' } },
        ...links,
      }),
    };
    const told = (await admin.get('/me/permissions')).json.objects;
    for (const [object, ways] of Object.entries(writes)) {
      const fields: (Field & { isReadonly: boolean })[] = (await schemaOf(object)).fields;
      const open = fields.filter(({ isReadonly }) => !isReadonly).map(({ name }) => name);
      expect(open.toSorted()).toEqual(Object.keys(ways).toSorted());
      for (const [name, write] of Object.entries(ways)) {
        expect((await write()).status, `${object}.${name}`).toBe(200);
        expect(told[object].fields[name]).toBe('write');
      }
      for (const { name, type } of fields.filter(({ isReadonly }) => isReadonly)) {
        const value = type === 'USERS' ? contact.id : type === 'BOOLEAN' ? false : '2001-01-01T00:00:00Z';
        const path = object === 'tasks' ? `/tasks/${task}` : `/notes/${note}`;
        expectError(await admin.put(path, { [name]: value }), 'VALIDATION_ERROR');
        expect(told[object].fields[name]).toBe('read');
        const { field } = (await admin.get('/explain', { user: admin.workspaceUserId, object, field: name })).json;
        expect(field).toMatchObject({ name, access: 'read' });
      }
    }
  });
});

function puts(path: string, bodies: Record<string, object>): Record<string, () => Promise<Reply>> {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, () => admin.put(path, body)]));
}
