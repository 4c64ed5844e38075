import { describe, expect, it } from 'vitest';
import { demoData, type Story } from '../../src/demo/demo-data.ts';
import type { JsonObject } from '../../src/lib/json.ts';

const today = new Date('2026-03-01T00:00:00Z');
const owners = ['o1', 'o2', 'o3', 'o4', 'o5', 'o6'];

function storiesOf(day: Date) {
  const mails = new Map(owners.map((id) => [id, `${id}@acme.example`]));
  const data = demoData({ today: day, owners, mails });
  const companyIds = data.companies.map((_, at) => `c${at}`);
  const contacts = data.contacts(companyIds);
  const contactIds = contacts.map((_, at) => `p${at}`);
  return {
    companies: data.companies,
    contacts,
    opportunities: data.opportunities(companyIds, contactIds),
    subscriptions: data.subscriptions(companyIds, contactIds),
  };
}

/** As the stories leave them. */
function rows(day = today) {
  const { companies, contacts, opportunities, subscriptions } = storiesOf(day);
  const ended = (all: readonly Story[]) =>
    all.map((story): JsonObject => Object.assign({}, ...story.map(({ values }) => values)));
  return {
    companies: ended(companies),
    contacts: ended(contacts),
    opportunities: ended(opportunities),
    subscriptions: ended(subscriptions),
  };
}

const stories = storiesOf(today);
const made = rows();

function countBy(records: readonly JsonObject[], field: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const record of records) counts[String(record[field])] = (counts[String(record[field])] ?? 0) + 1;
  return counts;
}

const amount = ({ amount: value }: JsonObject) => (value as { amount: number; currency: string } | null) ?? undefined;
const emailOf = ({ emails }: JsonObject) => (emails as { email: string }[])[0]?.email;

describe('the stories of demoData', () => {
  const all = Object.entries(stories);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

  it('lie in a year and a half before today, on workdays and in their order', () => {
    for (const story of all.flatMap(([, list]) => list)) {
      for (const [at, deed] of story.entries()) {
        expect(deed.at).toBeGreaterThan(story[at - 1]?.at ?? Date.parse('2024-08-28'));
        expect(deed.at).toBeLessThan(today.getTime());
        expect([0, 6]).not.toContain(new Date(deed.at).getUTCDay());
      }
    }
  });

  it('bring companies and people week by week, before what is sold to them', () => {
    const madeAt = (list: readonly Story[], id: unknown) => list[Number(String(id).slice(1))]?.[0]?.at ?? Infinity;
    const weeks = new Set(stories.contacts.map(([first]) => first?.at));
    expect(weeks.size).toBeGreaterThan(60);
    expect(weeks.size).toBeLessThan(80);
    for (const [first] of [...stories.contacts, ...stories.opportunities, ...stories.subscriptions]) {
      const { company_id: company, contacts, members } = first?.values ?? {};
      if (company !== null) expect(first?.at).toBeGreaterThanOrEqual(madeAt(stories.companies, company));
      for (const { id } of (contacts ?? members ?? []) as { id: string }[])
        expect(first?.at).toBeGreaterThan(madeAt(stories.contacts, id));
    }
  });

  it('move deals and subscriptions step by step, and close deals on their day', () => {
    const steps = stories.opportunities.map((story) =>
      story.flatMap(({ values }) => (values['pipeline_step_id'] as string | undefined) ?? []),
    );
    for (const way of steps) expect(new Set(way).size).toBe(way.length);
    expect(steps.filter((way) => way.length > 3).length).toBeGreaterThan(150);
    expect(steps.every(([first]) => first === 'Lead')).toBe(true);
    for (const story of stories.opportunities) {
      const last = story.at(-1);
      if (!['Won', 'Lost'].includes(String(last?.values['pipeline_step_id']))) continue;
      expect(last?.values['close_date']).toBe(dayOf(last?.at ?? 0));
    }
    expect(stories.subscriptions.every(([first]) => first?.values['pipeline_step_id'] === 'Trial')).toBe(true);
  });

  it.each([
    ['companies', 80, 200],
    ['contacts', 150, 350],
  ] as const)('change some %s later', (object, least, most) => {
    const changed = stories[object].filter(({ length }) => length > 1);
    expect(changed.length).toBeGreaterThan(least);
    expect(changed.length).toBeLessThan(most);
    for (const [first, then] of changed) {
      for (const [name, value] of Object.entries(then?.values ?? {})) expect(first?.values[name]).not.toEqual(value);
    }
  });
});

describe('demoData', () => {
  it('gives the same each time for a day, and on another day the same with other dates', () => {
    expect(rows()).toEqual(made);
    const later = rows(new Date('2026-03-15T00:00:00Z'));
    expect(later.contacts).toEqual(made.contacts);
    const dates = (records: readonly JsonObject[]) => records.map(({ close_date }) => close_date);
    const shifted = dates(made.opportunities).map((date) =>
      date === null ? null : new Date(Date.parse(String(date)) + 14 * 86_400_000).toISOString().slice(0, 10),
    );
    expect(dates(later.opportunities)).toEqual(shifted);
  });

  it('has as many rows as a small business', () => {
    const counts = Object.entries(made).map(([object, records]) => [object, records.length]);
    expect(counts).toEqual([
      ['companies', 800],
      ['contacts', 5000],
      ['opportunities', 600],
      ['subscriptions', 250],
    ]);
  });

  it.each([
    ['companies', made.companies.map(({ domain }) => domain)],
    ['companies', made.companies.map(({ name }) => name)],
    [
      'contacts',
      made.contacts.map(
        (person) => emailOf(person) ?? `${String(person['first_name'])} ${String(person['last_name'])}`,
      ),
    ],
    ['opportunities', made.opportunities.map(({ name }) => name)],
    ['subscriptions', made.subscriptions.map(({ code }) => code)],
  ])('knows each of %s by a sign of its own', (_, signs) => {
    expect(new Set(signs).size).toBe(signs.length);
  });

  it('has addresses that belong to no one', () => {
    const addresses = made.contacts.flatMap((person) => emailOf(person) ?? []);
    expect(addresses.length).toBeGreaterThan(4500);
    for (const address of addresses) expect(address).toMatch(/^[a-z0-9-]+\.[a-z0-9-]+(\.\d+)?@[a-z0-9-]+\.example$/);
  });

  it('has large companies and many small ones, and people in proportion', () => {
    const sizes = made.companies.flatMap(({ employees }) => Number(employees ?? 0) || []).toSorted((a, b) => b - a);
    expect(sizes[0]).toBeGreaterThan(50 * (sizes[sizes.length >> 1] ?? Infinity));
    const people = Object.values(countBy(made.contacts, 'company_id')).toSorted((a, b) => b - a);
    expect(people.slice(0, 80).reduce((sum, each) => sum + each)).toBeGreaterThan(1250);
    expect(people[people.length >> 1]).toBeLessThan(7);
  });

  it('lacks some of everything that people forget to enter', () => {
    const without = (records: readonly JsonObject[], field: string) =>
      records.filter(({ [field]: value }) => value === null || (Array.isArray(value) && value.length === 0)).length;
    for (const field of ['industry', 'employees', 'annual_revenue', 'phones', 'owner']) {
      expect(without(made.companies, field), field).toBeGreaterThan(10);
    }
    for (const field of ['emails', 'phones', 'job_title', 'company_id', 'owner']) {
      expect(without(made.contacts, field), field).toBeGreaterThan(50);
      expect(without(made.contacts, field), field).toBeLessThan(2500);
    }
  });

  it('has forty people twice, at the same company under nearly the same name', () => {
    const second = made.contacts.filter((person) => /\.\d+@/.test(emailOf(person) ?? ''));
    expect(second).toHaveLength(40);
    let otherwise = 0;
    for (const person of second) {
      const sign = (emailOf(person) ?? '').replace(/\.\d+@.*/, '');
      const [first = '', last = ''] = sign.split('.');
      const twin = made.contacts.find(
        (other) =>
          other !== person && other['company_id'] === person['company_id'] && nameOf(other) === `${first} ${last}`,
      );
      expect(twin, sign).toBeDefined();
      if (twin && nameOf(twin) !== nameOf(person)) otherwise++;
    }
    expect(otherwise).toBeGreaterThan(15);
  });

  it('has deals at every step: finished ones behind, open ones ahead, and plausible', () => {
    expect(countBy(made.opportunities, 'pipeline_step_id')).toEqual({
      Lead: 112,
      Qualified: 92,
      Proposal: 68,
      Negotiation: 46,
      Won: 130,
      Lost: 152,
    });
    const open = made.opportunities.filter(({ probability }) => Number(probability) > 0 && Number(probability) < 100);
    expect(open).toHaveLength(112 + 92 + 68 + 46);
    const dates = (records: readonly JsonObject[]) =>
      records.flatMap(({ close_date }) => String(close_date ?? '') || []);
    for (const date of dates(made.opportunities.filter((deal) => !open.includes(deal)))) {
      expect(date < '2026-03-01' && date >= '2024-08-30', date).toBe(true);
    }
    for (const date of dates(open)) expect(date >= '2026-02-14' && date <= '2026-08-30', date).toBe(true);
    expect(dates(open).filter((date) => date < '2026-03-01').length).toBeGreaterThan(3);
    const amounts = made.opportunities.flatMap((deal) => amount(deal) ?? []);
    expect(new Set(amounts.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'USD', 'GBP']));
    const average = amounts.reduce((sum, { amount: each }) => sum + each, 0) / amounts.length;
    expect(average > 4_000 && average < 25_000, String(average)).toBe(true);
  });

  it('spreads records over all owners, unevenly', () => {
    for (const records of [made.companies, made.contacts, made.opportunities]) {
      const counts = countBy(records, 'owner');
      for (const owner of owners) expect(counts[owner], owner).toBeGreaterThan(records.length / 25);
      expect(counts['o1']).toBeGreaterThan(1.3 * (counts['o6'] ?? Infinity));
    }
  });

  it('links deals and subscriptions to people of their company, each in a role', () => {
    for (const [records, field] of [
      [made.opportunities, 'contacts'],
      [made.subscriptions, 'members'],
    ] as const) {
      const links = records.map(({ company_id, [field]: members }) => ({
        company: company_id,
        members: members as { id: string; role: string }[],
      }));
      expect(links.filter(({ members }) => members.length > 1).length).toBeGreaterThan(records.length / 3);
      for (const { company, members } of links) {
        expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
        for (const { id, role } of members) {
          expect(made.contacts[Number(id.slice(1))]?.['company_id']).toBe(company);
          expect(role).toMatch(/^[A-Z]/);
        }
      }
    }
  });
});

function nameOf({ first_name, last_name }: JsonObject): string {
  return `${spelled(first_name)} ${spelled(last_name)}`;
}

/** As e-mail addresses spell a name. */
function spelled(name: unknown): string {
  const pairs: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
  return String(name)
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => pairs[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
