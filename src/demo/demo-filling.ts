/** Fills the demo through ordinary operations. Existing records are left alone, so that an interrupted start is continued by the next. */
import { readFileSync } from 'node:fs';
import { theService } from '../audit/event.ts';
import { whole } from '../lib/long-text.ts';
import type { Desk, Kernel } from '../kernel.ts';
import type { Json } from '../lib/json.ts';
import { codeOf } from '../lib/thrown.ts';
import { applyManifest } from '../operations/workspace/manifest.ts';
import { listUsers } from '../operations/people/users.ts';
import { createUser } from '../provision/users.ts';
import { listRecords } from '../operations/records/records.ts';
import type { DemoData, ObjectSize, Story } from './demo-data.ts';
import { bringConversations } from './demo-ingesting.ts';
import { bringFollowUps } from './demo-follow-up-errands.ts';
import { bringPages } from './demo-pages.ts';
import { demoDesks, doErrands, type DemoDesks } from './demo-desks.ts';
import { idsOf, importFirst, keptRecords, storyErrands, type DemoObject, type KeptRecords } from './demo-stories.ts';

/** Users besides the admin. Partner and Viewer own no records. */
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

/** Contacts that exist before the demo is shown. */
const firstContacts = 100;

/** Notifications of the last days are unread. */
const unreadMs = 10 * 86_400_000;

type FillingDeps = Pick<Kernel, 'provision' | 'desk' | 'pastDesk'>;

export interface Prepared {
  /** The sizes when complete. */
  readonly size: readonly ObjectSize[];
  /** Creates the rest. */
  complete(stop: AbortSignal): Promise<void>;
}

/** Creates the workspace with its users, the first companies and some contacts. */
export async function prepareDemo(deps: FillingDeps, organizationId: string, today: Date): Promise<Prepared> {
  const desk = () => deps.desk(organizationId, 'demo', () => {});
  await (await desk()).perform(applyManifest, { manifest: readManifest() });
  // A new desk: the earlier one has an outdated model.
  const admin = await desk();
  const userIds = await bringUsers(deps, organizationId, admin);
  const desks = demoDesks(deps, organizationId, admin.session.caller.workspaceUserId);
  // Loaded on demand: three languages of names and words are only needed once.
  const { demoData } = await import('./demo-data.ts');
  const known = owners.map((email) => [userIds.get(email) ?? '', email] as const);
  const mails = new Map(known.filter(([id]) => id !== ''));
  const data = demoData({ today, owners: [...mails.keys()], mails });
  const filling = { desks, data, today, companies: await keptRecords(desks, 'companies') };
  await importBeginning(filling);
  return {
    size: data.size,
    async complete(stop) {
      await bringRest(filling, stop);
      await deps.provision.directory.demoIsFilled(organizationId);
    },
  };
}

interface Filling {
  readonly desks: DemoDesks;
  readonly data: DemoData;
  readonly today: Date;
  readonly companies: KeptRecords;
}

/** Imports the records of the first week that are shown before the rest exists. */
async function importBeginning({ desks, data, companies }: Filling): Promise<void> {
  const forever = new AbortController().signal;
  const start = Math.min(...data.companies.map(([first]) => first?.at ?? Infinity));
  const early = (stories: readonly Story[]) => stories.filter(([first]) => first?.at === start);
  await importFirst(desks, 'companies', early(data.companies), companies, forever);
  const people = early(data.contacts(idsOf('companies', data.companies, companies))).slice(0, firstContacts);
  await importFirst(desks, 'contacts', people, await keptRecords(desks, 'contacts'), forever);
}

/** The present sizes: a user may have removed records, or all users to count with. */
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

async function bringRest({ desks, data, today, companies }: Filling, stop: AbortSignal): Promise<void> {
  await importFirst(desks, 'companies', data.companies, companies, stop);
  const companyIds = idsOf('companies', data.companies, companies);
  const people = data.contacts(companyIds);
  const contacts = await keptRecords(desks, 'contacts');
  await importFirst(desks, 'contacts', people, contacts, stop);
  const contactIds = idsOf('contacts', people, contacts);
  const bringAll = async (object: DemoObject, stories: readonly Story[]) => {
    const kept = await keptRecords(desks, object);
    await doErrands(storyErrands(desks, object, stories, kept), stop);
    return idsOf(object, stories, kept);
  };
  const opportunityIds = await bringAll('opportunities', data.opportunities(companyIds, contactIds));
  await bringAll('subscriptions', data.subscriptions(companyIds, contactIds));
  await doErrands(storyErrands(desks, 'companies', data.companies, companies), stop);
  await doErrands(storyErrands(desks, 'contacts', people, contacts), stop);
  const ids = { companies: companyIds, contacts: contactIds, opportunities: opportunityIds };
  await bringConversations(desks, data.conversations, stop);
  await bringFollowUps(desks, data, ids, today.getTime() - unreadMs, stop);
  await bringPages(desks, today.getTime(), stop);
}

function readManifest(): Json {
  return JSON.parse(readFileSync(new URL('../../examples/demo.json', import.meta.url), 'utf8')) as Json;
}

/** User ids by address. */
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
    ids.set(person.email, (await createUser(provision, organizationId, person, theService)).workspaceUserId);
  }
  return ids;
}
