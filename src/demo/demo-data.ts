/**
 * What the demo has: the same people and companies each time, with times around today. Nobody here exists, no address leads
 * anywhere.
 */
import type { JsonObject } from '../lib/json.ts';
import { between, happens, shuffle } from './demo-chance.ts';
import { makeCompanies, type Company } from './demo-companies.ts';
import { makeContacts, type Person } from './demo-contacts.ts';
import { makeConversations, type PlannedLine } from './demo-conversations.ts';
import { companyDeeds, contactDeeds } from './demo-edits.ts';
import { dealJourneys, subscriptionJourneys, type Deed } from './demo-journeys.ts';
import { makeNotes, makeTasks, type PlannedNote, type PlannedTask, type Subject } from './demo-follow-ups.ts';
import { makeOpportunities, type Deal } from './demo-opportunities.ts';
import { makeSubscriptions } from './demo-subscriptions.ts';
import { daysAgo, importTime, pastDays } from './demo-times.ts';
import { dealRoles, memberRoles } from './demo-words.ts';

/** How many records of an object. */
export interface ObjectSize {
  readonly object: string;
  readonly records: number;
}

/** Of a record: it is made by the first, and stands as the last leaves it. */
export type Story = readonly Deed[];

/** By the places of what they are of; undefined for a record that is not there yet. */
export type Ids = readonly (string | undefined)[];

export interface DemoData {
  readonly size: readonly ObjectSize[];
  readonly companies: readonly Story[];
  /** `companyIds` in the order of `companies`. */
  contacts(companyIds: Ids): readonly Story[];
  /** `contactIds` in the order of `contacts`. */
  opportunities(companyIds: Ids, contactIds: Ids): readonly Story[];
  /** Likewise. */
  subscriptions(companyIds: Ids, contactIds: Ids): readonly Story[];
  readonly tasks: readonly PlannedTask[];
  readonly notes: readonly PlannedNote[];
  /** Lines to ingest, in the order of time. */
  readonly conversations: readonly PlannedLine[];
}

export interface DemoOptions {
  /** A midnight in UTC: the past ends here. */
  readonly today: Date;
  /** Workspace user ids that records are spread over, those with more of them first. */
  readonly owners: readonly string[];
  /** The owners' addresses, by their ids. */
  readonly mails: ReadonlyMap<string, string>;
}

/** Pure: the same options give the same stories. */
export function demoData({ today, owners, mails }: DemoOptions): DemoData {
  const companies = makeCompanies(owners, today);
  const people = makeContacts(companies, owners);
  const deals = makeOpportunities(companies, owners, today);
  const subscriptions = makeSubscriptions(companies, deals, today);
  const staff = staffOf(people);
  const sold = withPeople(deals, dealJourneys(deals, today), staff, dealRoles);
  const subscribed = withPeople(subscriptions, subscriptionJourneys(subscriptions, today), staff, memberRoles);
  const times = timesOfImports(companies.length, people, [...sold, ...subscribed], today);
  const companyStories = companyDeeds(
    companies.map(({ values }) => values),
    times.companies,
    owners,
    today,
  );
  const contactStories = contactDeeds(
    people.map(({ values }) => values),
    times.contacts,
    today,
  );
  const subjects = subjectsOf(companies, people, { deals, sold }, times, today);
  return {
    tasks: makeTasks(subjects, owners, today),
    notes: makeNotes(subjects, owners, today),
    conversations: makeConversations(subjects, mails, today),
    size: Object.entries({ contacts: people, companies, opportunities: deals, subscriptions }).map(
      ([object, { length }]) => ({ object, records: length }),
    ),
    companies: companyStories,
    contacts: (companyIds) =>
      contactStories.map((deeds, at) => {
        const company = people[at]?.company;
        return beginning(deeds, { company_id: company === undefined ? null : (companyIds[company] ?? null) });
      }),
    opportunities: (companyIds, contactIds) =>
      sold.map((dealt) => beginning(dealt.deeds, linksOf(dealt, 'contacts', companyIds, contactIds))),
    subscriptions: (companyIds, contactIds) =>
      subscribed.map((dealt) => beginning(dealt.deeds, linksOf(dealt, 'members', companyIds, contactIds))),
  };
}

/** A deal or subscription with those whom it is about, by their places. */
interface Dealt {
  readonly company: number;
  readonly deeds: Story;
  readonly people: readonly { readonly place: number; readonly role: string | null }[];
}

/** Up to four people of the company each; who comes first has the first role. */
function withPeople(
  deals: readonly Deal[],
  journeys: readonly Story[],
  staff: ReadonlyMap<number, readonly number[]>,
  roles: readonly string[],
): readonly Dealt[] {
  return deals.map(({ company }, turn) => {
    const colleagues = staff.get(company) ?? [];
    const first = colleagues.length === 0 ? 0 : turn % colleagues.length;
    const chosen = [...colleagues.slice(first), ...colleagues.slice(0, first)].slice(0, 1 + (turn % 4));
    const people = chosen.map((place, at) => ({ place, role: roles[at % roles.length] ?? null }));
    return { company, deeds: journeys[turn] ?? [], people };
  });
}

function linksOf({ company, people }: Dealt, field: string, companyIds: Ids, contactIds: Ids): JsonObject {
  const linked = people.flatMap(({ place, role }) => {
    const id = contactIds[place];
    return id === undefined ? [] : [{ id, role }];
  });
  return { company_id: companyIds[company] ?? null, [field]: linked };
}

function beginning([first, ...rest]: Story, values: JsonObject): Story {
  return first ? [{ ...first, values: { ...first.values, ...values } }, ...rest] : rest;
}

/** The places of a company's people, by its place. */
function staffOf(people: readonly Person[]): ReadonlyMap<number, readonly number[]> {
  const staff = new Map<number, number[]>();
  for (const [at, { company }] of people.entries()) {
    if (company === undefined) continue;
    const known = staff.get(company);
    if (known) known.push(at);
    else staff.set(company, [at]);
  }
  return staff;
}

/**
 * When companies and people were brought in: many in the first week, the others week by week; before what was sold to them,
 * and no people before their company.
 */
function timesOfImports(companyCount: number, people: readonly Person[], dealt: readonly Dealt[], today: Date): Times {
  shuffle(9);
  const companies = Array.from({ length: companyCount }, () => (happens(0.4) ? pastDays : between(3, pastDays)));
  const wanted = people.map(() => 0);
  for (const { company, deeds, people: linked } of dealt) {
    const ago = Math.min(pastDays, daysAgo(today, deeds[0]?.at ?? 0) + 3);
    companies[company] = Math.max(companies[company] ?? 0, ago);
    for (const { place } of linked) wanted[place] = Math.max(wanted[place] ?? 0, ago);
  }
  const contacts = people.map(({ company }, place) => {
    const most = company === undefined ? pastDays : (companies[company] ?? pastDays);
    return Math.max(wanted[place] ?? 0, happens(0.45) ? most : between(1, most));
  });
  return {
    companies: companies.map((ago) => importTime(today, ago)),
    contacts: contacts.map((ago) => importTime(today, ago)),
  };
}

interface Times {
  readonly companies: readonly number[];
  readonly contacts: readonly number[];
}

/** What there is to do and to write about: a good part of the deals, and some people whom nobody sells anything to. */
function subjectsOf(
  companies: readonly Company[],
  people: readonly Person[],
  { deals, sold }: { readonly deals: readonly Deal[]; readonly sold: readonly Dealt[] },
  times: Times,
  today: Date,
): readonly Subject[] {
  const dayMs = 86_400_000;
  const yesterday = today.getTime() - dayMs;
  const nameOf = (place: number | undefined) => {
    const person = place === undefined ? undefined : people[place];
    return person && `${person.first} ${person.last}`;
  };
  const ofDeals = sold.flatMap(({ company, deeds, people: linked }, at): Subject[] => {
    const place = linked[0]?.place;
    const [person, name] = [nameOf(place), companies[company]?.name];
    const { values } = deals[at] ?? {};
    if (place === undefined || person === undefined || name === undefined || !values) return [];
    const isClosed = ['Won', 'Lost'].includes(String(values['pipeline_step_id']));
    return [
      {
        links: [
          { type: 'opportunities', place: at },
          { type: 'companies', place: company },
          { type: 'contacts', place },
        ],
        names: { person, company: name, deal: String(values['name']) },
        ...addressesOf(people[place]),
        owner: values['owner'] as string | null,
        from: deeds[0]?.at ?? 0,
        until: isClosed ? Math.min(yesterday, deeds.at(-1)?.at ?? 0) : yesterday,
        isOpen: !isClosed,
      },
    ];
  });
  const ofPeople = people.slice(0, 400).flatMap(({ company, values }, place): Subject[] => {
    const employer = company === undefined ? undefined : companies[company];
    const person = nameOf(place);
    if (company === undefined || !employer || person === undefined) return [];
    return [
      {
        links: [
          { type: 'contacts', place },
          { type: 'companies', place: company },
        ],
        names: { person, company: employer.name, deal: employer.name },
        ...addressesOf(people[place]),
        owner: (values['owner'] ?? null) as string | null,
        from: times.contacts[place] ?? 0,
        until: yesterday,
        isOpen: true,
      },
    ];
  });
  return [...ofDeals, ...ofPeople];
}

function addressesOf(person: Person | undefined): Pick<Subject, 'email' | 'phone'> {
  const { emails, phones } = (person?.values ?? {}) as {
    emails?: readonly { email: string }[];
    phones?: readonly { phone: string; label: string }[];
  };
  const mobile = phones?.find(({ label }) => label === 'mobile');
  return { email: emails?.[0]?.email ?? null, phone: mobile?.phone ?? null };
}
