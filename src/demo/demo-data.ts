/** Rows of the demo: the same people and companies each time, with dates around today. Nobody here exists, no address leads anywhere. */
import type { JsonObject } from '../lib/json.ts';
import { makeCompanies } from './demo-companies.ts';
import { makeContacts, type Person } from './demo-contacts.ts';
import { makeOpportunities, type Deal } from './demo-opportunities.ts';
import { makeSubscriptions } from './demo-subscriptions.ts';
import { dealRoles, memberRoles } from './demo-words.ts';

/** How many records of an object. */
export interface ObjectSize {
  readonly object: string;
  readonly records: number;
}

export interface DemoData {
  readonly size: readonly ObjectSize[];
  readonly companies: readonly JsonObject[];
  /** `companyIds` in the order of `companies`. */
  contacts(companyIds: readonly string[]): readonly JsonObject[];
  /** `contactIds` in the order of `contacts`. */
  opportunities(companyIds: readonly string[], contactIds: readonly string[]): readonly JsonObject[];
  /** Likewise. */
  subscriptions(companyIds: readonly string[], contactIds: readonly string[]): readonly JsonObject[];
}

export interface DemoOptions {
  readonly today: Date;
  /** Workspace user ids that records are spread over, those with more of them first. */
  readonly owners: readonly string[];
}

/** Pure: the same options give the same rows. */
export function demoData({ today, owners }: DemoOptions): DemoData {
  const companies = makeCompanies(owners, today);
  const people = makeContacts(companies, owners);
  const opportunities = makeOpportunities(companies, owners, today);
  const subscriptions = makeSubscriptions(companies, opportunities, today);
  const staff = staffOf(people);
  return {
    size: Object.entries({ contacts: people, companies, opportunities, subscriptions }).map(([object, { length }]) => ({
      object,
      records: length,
    })),
    companies: companies.map(({ values }) => values),
    contacts: (companyIds) =>
      people.map(({ values, company }) => ({
        ...values,
        company_id: company === undefined ? null : (companyIds[company] ?? null),
      })),
    opportunities: (companyIds, contactIds) =>
      opportunities.map((deal, at) => ({
        ...ofCompany(deal, companyIds),
        contacts: linked(staff.get(deal.company), contactIds, dealRoles, at),
      })),
    subscriptions: (companyIds, contactIds) =>
      subscriptions.map((subscription, at) => ({
        ...ofCompany(subscription, companyIds),
        members: linked(staff.get(subscription.company), contactIds, memberRoles, at),
      })),
  };
}

function ofCompany({ values, company }: Deal, companyIds: readonly string[]): JsonObject {
  return { ...values, company_id: companyIds[company] ?? null };
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

/** Up to four of the people; who comes first has the first role. */
function linked(
  staff: readonly number[] = [],
  contactIds: readonly string[],
  roles: readonly string[],
  turn: number,
): JsonObject[] {
  const first = staff.length === 0 ? 0 : turn % staff.length;
  const chosen = [...staff.slice(first), ...staff.slice(0, first)].slice(0, 1 + (turn % 4));
  return chosen.flatMap((at, place) => {
    const id = contactIds[at];
    return id === undefined ? [] : [{ id, role: roles[place % roles.length] ?? null }];
  });
}
