/** The document itself: whole, right for its reader, and taken by tools of others. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedPath, isPerObject } from '../../src/describe/endpoint.ts';
import { routes } from '../../src/http/routes.ts';
import { cacheSizes } from '../../src/lib/caches.ts';
import { ownVersion } from '../../src/lib/own-version.ts';
import { addRole } from '../api/workspace.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { fillWorkspace } from './all-types.ts';
import { documentFor, operationsIn, problemsOf, type Document } from './document.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let document: Document;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = organization.admin;
  await fillWorkspace(admin);
  document = await documentFor(admin);
});
afterAll(() => kith.stop());

describe('for an admin', () => {
  it('tells every route, for every object that it is for', () => {
    const told = operationsIn(document).map(({ method, path }) => `${method} ${path}`);
    const objects = ['contacts', 'companies', 'opportunities', 'things', 'parts'];
    const withPipeline = ['opportunities', 'things'];
    const served = routes.flatMap((route) => {
      const paths = isPerObject(route)
        ? (route.path.startsWith('/pipelines/') ? withPipeline : objects).map((name) =>
            describedPath(route).replace('{object}', name),
          )
        : [describedPath(route)];
      // What operations of their own write is counted all the same.
      if (route.operation.takesManaged)
        paths.push(...['tasks', 'notes'].map((name) => describedPath(route).replace('{object}', name)));
      return paths.map((path) => `${route.method} /api/v1${path}`);
    });
    expect(told.toSorted()).toEqual(served.toSorted());
  });

  it('says of every operation on records which right it takes', () => {
    const silent = routes.filter(({ path, operation }) => /^\/(?!schema).*:object/.test(path) && !operation.needs);
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('names each operation once, by verb and noun', () => {
    const ids = operationsIn(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listContacts', 'getContact', 'createContact', 'updateContact']));
    expect(ids).toEqual(
      expect.arrayContaining(['deleteThing', 'restoreThing', 'importThings', 'getMe', 'applyManifest']),
    );
  });

  it('tells parameters of every kind', () => {
    const parameters = (path: string, method: string) =>
      document.paths[path]?.[method]?.parameters.map((one) => {
        const known = '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one;
        return `${known?.in} ${known?.name}`;
      });
    expect(parameters('/api/v1/records/contacts', 'get')).toEqual(
      expect.arrayContaining(['query limit', 'query filters', 'query sort', 'query search', 'header Time-Zone']),
    );
    expect(parameters('/api/v1/records/contacts/{id}', 'put')).toEqual([
      'path id',
      'header If-Match',
      'query dry_run',
      'header Change-Set',
      'query pretty',
      'header Time-Zone',
    ]);
    expect(parameters('/api/v1/records/contacts', 'post')).toContain('header Idempotency-Key');
    expect(parameters('/api/v1/records/contacts', 'get')).not.toContain('query dry_run');
  });

  it('holds values against its schemas in earnest', () => {
    const { Contact, ContactCreate, CompanyCreate } = document.components.schemas;
    const id = '0198c0de-7a11-7000-8000-00000000002a';
    expect(problemsOf(document, Contact, { id })).toEqual([]);
    expect(problemsOf(document, Contact, { id, emails: null })).not.toEqual([]);
    expect(problemsOf(document, Contact, { id, tags: ['nonsense'] })).not.toEqual([]);
    expect(problemsOf(document, ContactCreate, { nonsense: 1 })).not.toEqual([]);
    expect(problemsOf(document, ContactCreate, { full_name: 'A' })).not.toEqual([]);
    expect(problemsOf(document, CompanyCreate, {})).not.toEqual([]);
  });

  it('carries the release, a tag, and word of how long it holds', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: ownVersion() } });
    const first = await admin.get('/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await admin.get('/openapi.json', {}, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await admin.send('/api/v1')).headers.get('link')).toContain('</api/v1/openapi.json>; rel="service-desc"');
  });
});

describe('for a role', () => {
  const everything = { view: 'all', create: true, update: 'all', delete: 'all' } as const;
  const roleDocument = async (name: string, permissions: Parameters<typeof addRole>[3]) => {
    await addRole(kith, organization, name, permissions);
    return documentFor(await organization.user(name));
  };
  const idsOf = (told: Document) => operationsIn(told).map(({ operation }) => operation.operationId);

  it('leaves out what it may not do', async () => {
    const told = await roleDocument('reader', { '*': { view: 'all' } });
    expect(idsOf(told)).toEqual(expect.arrayContaining(['listContacts', 'getContact', 'getContactHistory']));
    const changing = idsOf(told).filter((id) =>
      /^(create|update|patch|delete|import|export|apply|batch|pull|purge)/.test(id),
    );
    // Dashboards and views are for everybody: what they show is what the role does. And a token does what its user's role does.
    expect(changing.toSorted()).toEqual([
      'createChart',
      'createDashboard',
      'createToken',
      'createView',
      'deleteChart',
      'deleteDashboard',
      'deleteView',
      'updateView',
    ]);
    expect(Object.keys(told.components.schemas).filter((name) => /(Create|Update)$/.test(name))).toEqual([]);
  });

  it('says nothing of what it may not see', async () => {
    const told = await roleDocument('blind', {
      '*': everything,
      parts: { view: 'none', create: false },
      companies: { fields: { annual_revenue: 'none', industry: 'none' } },
      contacts: { fields: { birthday: 'read', first_name: 'none' } },
    });
    const { Company, Contact, ContactUpdate } = told.components.schemas;
    expect(Object.keys(Company.properties)).not.toContain('annual_revenue');
    // Made of the first name.
    expect(Object.keys(Contact.properties)).not.toContain('full_name');
    expect(Object.keys(Contact.properties)).toContain('birthday');
    expect(Object.keys(ContactUpdate.properties)).not.toContain('birthday');
    for (const hidden of ['annual_revenue', 'CompanyIndustry', 'first_name', 'records/parts', 'PartCreate']) {
      expect(JSON.stringify(told)).not.toContain(hidden);
    }
  });

  it('says nothing of hidden fields of tasks and notes, and of what is about a hidden field alone', async () => {
    const told = await roleDocument('forgetful', {
      '*': everything,
      tasks: { fields: { due_date: 'none', is_completed: 'none' } },
      notes: { fields: { content: 'none' } },
      opportunities: { fields: { pipeline: 'none' } },
    });
    const of = (part: string) => JSON.stringify(Object.entries(told.paths).filter(([path]) => path.includes(part)));
    expect(of('/tasks')).toContain('"priority"');
    for (const hidden of ['"due_date"', '"due_all_day"', '"is_completed"', '/complete"'])
      expect(of('/tasks')).not.toContain(hidden);
    expect(of('/notes')).toContain('"visibility"');
    expect(of('/notes')).not.toContain('"title"');
    expect(of('/notes')).not.toContain('HTML');
    const ofDeals = (paths: object) => Object.keys(paths).filter((path) => path.includes('/pipelines/opportunities/'));
    expect(ofDeals(told.paths)).toEqual([]);
    const { paths } = await roleDocument('attentive', { '*': everything });
    expect(ofDeals(paths)).toEqual([
      '/api/v1/pipelines/opportunities/{id}/move',
      '/api/v1/pipelines/opportunities/{id}/history',
    ]);
    expect(Object.keys(paths)).toContain('/api/v1/tasks/{id}/complete');
  });

  it('is the same whether what it may not see is there or not', async () => {
    const other = await kith.organization();
    const before = await documentFor(await userOf(other, 'narrow'));
    const hidden = [
      {
        name: 'contact_notes',
        label: 'Contact',
        labelSingular: 'Contact',
        displayField: 'name',
        fields: [{ name: 'name', label: 'Name', type: 'TEXT' }],
      },
    ];
    expect((await other.admin.post('/manifest', { objects: hidden })).status).toBe(200);
    const after = await documentFor(await other.user('narrow'));
    expect(after).toEqual(before);
  });

  async function userOf(place: TestOrganization, name: string): Promise<Client> {
    await addRole(kith, place, name, { contacts: everything, companies: { view: 'all' } });
    return place.user(name);
  }
});

describe('hostile names', () => {
  const label = '😀 */ <b>`';
  const options = [{ value: 'a\'b"\\', label: 'A' }];
  const hostile = [
    ['makers', 'constructor'],
    ['tostring', label],
    ['errors', 'Error'],
    ['objects', 'Objects'],
  ].map(([name = '', labelSingular = '']) => ({
    name,
    label,
    labelSingular,
    displayField: 'valueof',
    fields: [
      { name: 'valueof', label, type: 'TEXT' },
      { name: 'class', label: 'Constructor', type: 'SELECT', options },
    ],
  }));

  it('make a document that is still right', async () => {
    const other = await kith.organization();
    const applied = await other.admin.post('/manifest', { objects: hostile });
    expect(applied.status, applied.text).toBe(200);
    const told = await documentFor(other.admin);
    expect(await lint(told)).toEqual([]);
    const record = { valueof: 'x', class: 'a\'b"\\' };
    for (const { name } of hostile) {
      const { json } = await other.admin.post(`/records/${name}`, record);
      const { schema } =
        told.paths[`/api/v1/records/${name}/{id}`]?.['get']?.responses['200']?.content?.['application/json'] ?? {};
      expect(problemsOf(told, schema ?? {}, { record: json.record })).toEqual([]);
    }
    expect(Object.keys(told.components.schemas)).toEqual(expect.arrayContaining(['Constructor', 'B', 'Errors']));
  });
});

describe('tools of others', () => {
  it('redocly finds nothing wrong by its recommended rules', async () => {
    expect(await lint(document)).toEqual([]);
  });

  it('swagger-typescript-api makes a client that compiles', async () => {
    const spec: object = structuredClone(document);
    const options = { spec, output: false, silent: true, httpClientType: 'fetch', generateUnionEnums: true };
    const { files } = await generateApi(options as Parameters<typeof generateApi>[0]);
    const [client] = files;
    const folder = mkdtempSync(join(tmpdir(), 'kith-client-'));
    try {
      writeFileSync(join(folder, 'api.ts'), client?.fileContent ?? '');
      writeFileSync(join(folder, 'use.ts'), use);
      const compiled = compile(folder);
      expect(compiled.stdout).toBe('');
      expect(compiled.status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const use = `
import { Api, type Contact, type ThingCreate } from './api.ts';
const { api } = new Api({ baseUrl: 'http://127.0.0.1:3000' });
const thing: ThingCreate = { title: 'First', level: 'new', f_currency: { amount: 5, currency: 'EUR' }, f_emails: ['a@b.test'] };
export async function firstContact(): Promise<Contact | undefined> {
  await api.createThing(thing, { dry_run: true });
  const { data } = await api.listContacts({ limit: 1 });
  return 'data' in data ? data.data[0] : undefined;
}
// @ts-expect-error: an option that is none
export const wrong: ThingCreate = { title: 'First', level: 'nonsense' };
`;

async function lint(told: Document): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(told);
  const problems = await lintFromString({ source, absoluteRef: join(tmpdir(), 'openapi.json'), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

function compile(folder: string) {
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext'];
  const files = ['api.ts', 'use.ts'].map((name) => join(folder, name));
  return spawnSync(
    process.execPath,
    [tsc, ...options, '--lib', 'esnext,dom', '--allowImportingTsExtensions', '--types', '', ...files],
    { encoding: 'utf8', cwd: folder },
  );
}

/** Documents that the service remembers. `/metrics` is a second behind. */
const kept = () => cacheSizes().get('openapi_documents')?.entries ?? 0;

it('is made once for a role, and anew for another one or a changed workspace', async () => {
  const first = await admin.get('/openapi.json');
  const before = kept();
  expect((await admin.get('/openapi.json')).text).toBe(first.text);
  expect(kept()).toBe(before);
  const viewer = await organization.user('Viewer');
  expect((await viewer.get('/openapi.json')).text).not.toBe(first.text);
  await admin.get('/openapi.json');
  const ofBoth = kept();
  const field = { name: 'made_anew', label: 'Made anew', type: 'TEXT' };
  await admin.post('/manifest', { objects: [{ name: 'companies', fields: [field] }] });
  expect((await admin.get('/openapi.json')).text).toContain('made_anew');
  // Those of the workspace as it was are gone, the viewer's among them.
  expect(kept()).toBeLessThan(ofBoth);
});

it('is the same for all users of a role, also where its rules are about each', async () => {
  const mine = { type: 'AND' as const, conditions: [{ field: 'owner', operator: 'equals', value: '$me' }] };
  await addRole(kith, organization, 'Own', {
    contacts: { view: 'own', update: 'own' },
    companies: { view: mine, delete: mine, create: true },
  });
  const [ann, bob] = [await organization.user('Own'), await organization.user('Own')];
  const made = await ann.get('/openapi.json');
  expect(made.text).toContain('updateContact');
  const before = kept();
  expect((await bob.get('/openapi.json')).text).toBe(made.text);
  expect(kept()).toBe(before);
});
