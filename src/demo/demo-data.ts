/** Rows of the demo: the same people and companies each time, with dates around today. Nobody here exists, no address leads anywhere. */
import type { Faker } from '@faker-js/faker';
import { faker as german } from '@faker-js/faker/locale/de';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as french } from '@faker-js/faker/locale/fr';
import type { JsonObject } from '../lib/json.ts';
import { dealRoles, deals, jobTitles, regions, stages, trades, type City, type Region } from './demo-words.ts';

export interface DemoData {
  readonly companies: readonly JsonObject[];
  /** `companyIds` in the order of `companies`. */
  contacts(companyIds: readonly string[]): readonly JsonObject[];
  /** `contactIds` in the order of `contacts`. */
  opportunities(companyIds: readonly string[], contactIds: readonly string[]): readonly JsonObject[];
}

export interface DemoOptions {
  readonly today: Date;
  /** Workspace user ids that records are spread over. */
  readonly owners: readonly string[];
}

interface Company {
  readonly values: JsonObject;
  readonly name: string;
  readonly domain: string;
  readonly region: Region;
  readonly city: City;
}

const seed = 20_260_105;
const companyCount = 40;
const contactCount = 150;
const opportunityCount = 60;
const tags = ['vip', 'customer', 'prospect', 'partner', 'newsletter', 'decision_maker'];
const sources = ['inbound', 'outbound', 'referral', 'website', 'event', 'partner'];

/** Pure: the same options give the same rows. */
export function demoData({ today, owners }: DemoOptions): DemoData {
  for (const faker of [english, german, french]) faker.seed(seed);
  const companies = makeCompanies(owners);
  const people = makePeople(companies, owners);
  const opportunities = makeOpportunities(companies, today, owners);
  return {
    companies: companies.map(({ values }) => values),
    contacts: (companyIds) =>
      people.map(({ values, company }) => ({ ...values, company_id: companyIds[company] ?? null })),
    opportunities: (companyIds, contactIds) =>
      opportunities.map(({ values, company }) => ({
        ...values,
        company_id: companyIds[company] ?? null,
        contacts: contactsOf(people, company).flatMap((at, place) => {
          const id = contactIds[at];
          return id === undefined ? [] : [{ id, role: dealRoles[place % dealRoles.length] ?? null }];
        }),
      })),
  };
}

/** Up to three of a company's people, by their place in the list. */
function contactsOf(people: readonly { readonly company: number }[], company: number): number[] {
  return people.flatMap((person, at) => (person.company === company ? [at] : [])).slice(0, 1 + (company % 3));
}

function makeCompanies(owners: readonly string[]): Company[] {
  const names = new Set<string>();
  return Array.from({ length: companyCount }, (_, at) => {
    const region = english.helpers.weightedArrayElement(
      regions.map((value, rank) => ({ value, weight: regions.length - rank })),
    );
    const faker = fakerOf(region);
    let name = faker.company.name();
    while (names.has(slug(name))) name = faker.company.name();
    names.add(slug(name));
    const city = english.helpers.arrayElement(region.cities);
    const [industry, description] = trades[at % trades.length] ?? ['other', ''];
    const employees = english.number.int({ min: 4, max: 60 }) * english.helpers.arrayElement([1, 2, 5, 20, 50]);
    const domain = `${slug(name)}.example`;
    const values: JsonObject = {
      name,
      domain,
      industry,
      employees,
      annual_revenue: {
        amount: employees * english.number.int({ min: 80, max: 240 }) * 1000,
        currency: region.currency,
      },
      phones: [{ phone: phone(city), label: 'main' }],
      linkedin_url: `https://www.linkedin.com/company/example-${slug(name)}`,
      address: address(faker, region, city),
      description,
      owner: english.helpers.arrayElement(owners),
    };
    return { values, name, domain, region, city };
  });
}

function makePeople(companies: readonly Company[], owners: readonly string[]) {
  const addresses = new Set<string>();
  return Array.from({ length: contactCount }, (_, at) => {
    // The first ones see to it that every company has somebody.
    const index = at < companies.length ? at : english.number.int({ min: 0, max: companies.length - 1 });
    const company = companies[index];
    if (!company) throw new Error('There are no companies to work for');
    const faker = fakerOf(company.region);
    let [first, last] = [faker.person.firstName(), faker.person.lastName()];
    const email = () => `${slug(first)}.${slug(last)}@${company.domain}`;
    while (addresses.has(email())) [first, last] = [faker.person.firstName(), faker.person.lastName()];
    addresses.add(email());
    const values: JsonObject = {
      first_name: first,
      last_name: last,
      emails: [{ email: email(), label: 'work', is_primary: true }],
      phones: english.datatype.boolean(0.8) ? [{ phone: phone(company.city), label: 'work' }] : [],
      job_title: english.helpers.arrayElement(jobTitles),
      linkedin_url: `https://www.linkedin.com/in/example-${slug(first)}-${slug(last)}`,
      address: address(faker, company.region, company.city),
      tags: english.helpers.arrayElements(tags, { min: 0, max: 2 }),
      birthday: english.datatype.boolean(0.3)
        ? day(english.date.birthdate({ mode: 'year', min: 1960, max: 2002 }))
        : null,
      do_not_contact: english.datatype.boolean(0.04),
      owner: english.helpers.arrayElement(owners),
    };
    return { values, company: index };
  });
}

function makeOpportunities(companies: readonly Company[], today: Date, owners: readonly string[]) {
  return Array.from({ length: opportunityCount }, (_, at) => {
    const index = english.number.int({ min: 0, max: companies.length - 1 });
    const company = companies[index];
    // Each step has at least one; the rest as pipelines look.
    const stage =
      stages[at] ?? english.helpers.weightedArrayElement(stages.map((value) => ({ value, weight: value.weight })));
    const open = stage.probability > 0 && stage.probability < 100;
    const daysAway = open ? english.number.int({ min: -5, max: 120 }) : -english.number.int({ min: 1, max: 180 });
    const values: JsonObject = {
      name: `${company?.name ?? ''} – ${deals[at % deals.length] ?? ''}`,
      amount: { amount: english.number.int({ min: 4, max: 240 }) * 500, currency: company?.region.currency ?? 'USD' },
      probability: stage.probability,
      close_date: day(new Date(today.getTime() + daysAway * 86_400_000)),
      source: english.helpers.arrayElement(sources),
      pipeline_step_id: stage.name,
      owner: english.helpers.arrayElement(owners),
    };
    return { values, company: index };
  });
}

function fakerOf({ language }: Region): Faker {
  return { en: english, de: german, fr: french }[language];
}

function address(faker: Faker, { country }: Region, { city, state, postal_code }: City): JsonObject {
  return { street: faker.location.streetAddress(), city, state: state ?? null, postal_code, country };
}

function phone({ phone: pattern }: City): string {
  return pattern.replaceAll('#', () => String(english.number.int({ min: 0, max: 9 })));
}

/** `Müller & Söhne GmbH` → `mueller-soehne-gmbh`. */
function slug(text: string): string {
  const german = text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
  return german
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
