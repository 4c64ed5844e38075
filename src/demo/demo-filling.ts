/**
 * Fills the demo, through the same operations as everybody. What is there already is left alone: so a start goes on where
 * another one was killed.
 */
import { readFileSync } from 'node:fs';
import { whole } from '../lib/long-text.ts';
import type { Desk, Kernel } from '../kernel.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import { codeOf } from '../lib/thrown.ts';
import { exportRecords } from '../operations/export.ts';
import { importRecords } from '../operations/import.ts';
import { applyManifest } from '../operations/manifest.ts';
import { JsonText } from '../operations/door/operation.ts';
import { listUsers } from '../operations/users.ts';
import { createUser } from '../provision/users.ts';
import { listRecords } from '../operations/records.ts';
import type { DemoData, ObjectSize } from './demo-data.ts';

/** Beside the admin. Partner and Viewer look on; records belong to the others. */
const people = [
  { name: 'Ben Okafor', email: 'ben@acme.example', role: 'Member' },
  { name: 'Clara Weiss', email: 'clara@acme.example', role: 'Viewer' },
  { name: 'Diego Marín', email: 'diego@acme.example', role: 'Account executive' },
  { name: 'Emma Laurent', email: 'emma@acme.example', role: 'Account executive' },
  { name: 'Farid Haddad', email: 'farid@acme.example', role: 'Account executive' },
  { name: 'Greta Nilsson', email: 'greta@acme.example', role: 'Member' },
  { name: 'Hana Suzuki', email: 'hana@partner.example', role: 'Partner' },
] as const;
const owners = ['diego', 'emma', 'farid', 'ben', 'greta', 'ada'].map((name) => `${name}@acme.example`);

/** Rows of one call: few enough that requests in between hardly wait. */
const rowsAtOnce = 100;
/** Contacts that are there before anybody is asked to look. */
const firstContacts = 100;

/** What a record of the demo is known by, and the fields that this is made of. */
const signs: Readonly<Record<DemoObject, { fields: readonly string[]; of(record: JsonObject): string }>> = {
  companies: { fields: ['domain'], of: ({ domain }) => String(domain) },
  contacts: {
    fields: ['first_name', 'last_name', 'emails'],
    of: ({ first_name, last_name, emails }) => {
      const [first] = emails as readonly JsonObject[];
      return String(first ? first['email'] : `${String(first_name)} ${String(last_name)}`);
    },
  },
  opportunities: { fields: ['name'], of: ({ name }) => String(name) },
  subscriptions: { fields: ['code'], of: ({ code }) => String(code) },
};

type DemoObject = Exclude<keyof DemoData, 'size'>;
type FillingDeps = Pick<Kernel, 'provision' | 'desk'>;

export interface Prepared {
  /** When all of it is there. */
  readonly size: readonly ObjectSize[];
  /** Brings the rest. */
  complete(stop: AbortSignal): Promise<void>;
}

/** The workspace with its users, all companies and some contacts. */
export async function prepareDemo(deps: FillingDeps, organizationId: string, today: Date): Promise<Prepared> {
  const desk = () => deps.desk(organizationId, 'demo', () => {});
  await (await desk()).perform(applyManifest, { manifest: readManifest() });
  // A desk of its own: the one before does not know the workspace as it is now.
  const filling = await desk();
  const userIds = await bringUsers(deps, organizationId, filling);
  // The names and words of three languages are loaded for this one time only.
  const { demoData } = await import('./demo-data.ts');
  const data = demoData({ today, owners: owners.flatMap((email) => userIds.get(email) ?? []) });
  const forever = new AbortController().signal;
  const companyIds = await bring(filling, 'companies', data.companies, forever);
  await bring(filling, 'contacts', data.contacts(companyIds).slice(0, firstContacts), forever);
  return {
    size: data.size,
    async complete(stop) {
      await bringRest(filling, data, companyIds, stop);
      await deps.provision.directory.demoIsFilled(organizationId);
    },
  };
}

/** What there is of the demo's objects by now: whoever tries it out may have removed some, or everybody who could be asked. */
export async function sizeNow(deps: FillingDeps, organizationId: string): Promise<readonly ObjectSize[]> {
  const sizes = ['contacts', 'companies', 'opportunities', 'subscriptions'].map(async (object) => {
    try {
      const desk = await deps.desk(organizationId, 'demo', () => {});
      const answer = await desk.perform(listRecords, { object, fields: 'id', limit: 1 });
      const records = answer.page?.total;
      return records === undefined ? [] : [{ object, records }];
    } catch (error) {
      if (['NOT_FOUND', 'INVALID_OBJECT'].includes(codeOf(error) ?? '')) return [];
      throw error;
    }
  });
  return (await Promise.all(sizes)).flat();
}

async function bringRest(desk: Desk, data: DemoData, companyIds: readonly string[], stop: AbortSignal): Promise<void> {
  const contactIds = await bring(desk, 'contacts', data.contacts(companyIds), stop);
  await bring(desk, 'opportunities', data.opportunities(companyIds, contactIds), stop);
  await bring(desk, 'subscriptions', data.subscriptions(companyIds, contactIds), stop);
}

function readManifest(): Json {
  return JSON.parse(readFileSync(new URL('../../examples/demo.json', import.meta.url), 'utf8')) as Json;
}

/** The ids of the workspace's users by their addresses. */
async function bringUsers(
  { provision }: FillingDeps,
  organizationId: string,
  desk: Desk,
): Promise<ReadonlyMap<string, string>> {
  const { text } = await desk.perform(listUsers, {});
  const { data } = JSON.parse(whole(text)) as { data: readonly { id: string; email: string }[] };
  const ids = new Map(data.map(({ id, email }) => [email, id]));
  for (const person of people) {
    if (ids.has(person.email)) continue;
    ids.set(person.email, (await createUser(provision, organizationId, person)).workspaceUserId);
  }
  return ids;
}

/** The ids of `records`, in their order; those that are not there yet are made. */
async function bring(
  desk: Desk,
  object: DemoObject,
  records: readonly JsonObject[],
  stop: AbortSignal,
): Promise<readonly string[]> {
  const { fields, of: signOf } = signs[object];
  const ids = new Map(
    (await everyRecord(desk, object, fields)).map((record) => [signOf(record), String(record['id'])]),
  );
  const missing = records.filter((record) => !ids.has(signOf(record)));
  for (let at = 0; at < missing.length; at += rowsAtOnce) {
    stop.throwIfAborted();
    const rows = missing.slice(at, at + rowsAtOnce);
    const outcome = await desk.perform(importRecords, { object, records: rows });
    if (outcome.failed + outcome.duplicates > 0)
      throw new Error(`A demo record of ${object} was refused: ${JSON.stringify(outcome.errors[0])}`);
    for (const [place, id] of outcome.created_ids.entries()) {
      const row = rows[place];
      if (row) ids.set(signOf(row), id);
    }
  }
  return records.flatMap((record) => ids.get(signOf(record)) ?? []);
}

async function everyRecord(desk: Desk, object: string, fields: readonly string[]): Promise<readonly JsonObject[]> {
  const answer = await desk.perform(exportRecords, { object, fields: `id,${fields.join(',')}`, limit: 10_000 });
  if (!(answer instanceof JsonText)) throw new Error('An export without a format is JSON');
  return (JSON.parse(whole(answer.text)) as { records: readonly JsonObject[] }).records;
}
