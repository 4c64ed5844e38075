/** The records of the demo: the same each time, with dates around today. All people are invented, and no address exists. */
import { dayMs } from '../lib/durations.ts';
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

/** The number of records of an object. */
export interface ObjectSize {
  readonly object: string;
  readonly records: number;
}

/** The writes of one record: the first creates it, and the last gives its final state. */
export type Story = readonly Deed[];

/** Ids in the order of their plans; undefined for a record that does not exist yet. */
export type Ids = readonly (string | undefined)[];

export interface DemoData {
  readonly size: readonly ObjectSize[];
  readonly companies: readonly Story[];
  /** The contacts; `companyIds` are in the order of `companies`. */
  contacts(companyIds: Ids): readonly Story[];
  /** The opportunities; `contactIds` are in the order of `contacts`. */
  opportunities(companyIds: Ids, contactIds: Ids): readonly Story[];
  /** The subscriptions, likewise. */
  subscriptions(companyIds: Ids, contactIds: Ids): readonly Story[];
  readonly tasks: readonly PlannedTask[];
  readonly notes: readonly PlannedNote[];
  /** Lines to ingest, in the order of time. */
  readonly conversations: readonly PlannedLine[];
}

export interface DemoOptions {
  /** A midnight in UTC: the end of the demo's past. */
  readonly today: Date;
  /** The user ids that own records; the first ones own more. */
  readonly owners: readonly string[];
  /** The owners' addresses by id. */
  readonly mails: ReadonlyMap<string, string>;
}

/** Makes the demo's data. Pure: equal options give equal data. */
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

/** A deal or subscription with its company and people, by index. */
interface Dealt {
  readonly company: number;
  readonly deeds: Story;
  readonly people: readonly { readonly place: number; readonly role: string | null }[];
}

/** Adds up to four people of the company to each deal; the first has the first role. */
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

/** The indexes of a company's people, by its index. */
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
 * Import times of companies and people: many in the first week, the others week by week; before their deals, and no person
 * before its company.
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

/** The subjects of tasks and notes: a good part of the deals, and some people without deals. */
function subjectsOf(
  companies: readonly Company[],
  people: readonly Person[],
  { deals, sold }: { readonly deals: readonly Deal[]; readonly sold: readonly Dealt[] },
  times: Times,
  today: Date,
): readonly Subject[] {
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
