/** The contacts of the demo: many at a few companies, one or two at most others, and some duplicates. */
import type { JsonObject } from '../lib/json.ts';
import { between, digits, happens, lottery, mixed, oneOf, shuffle, speaker } from './demo-chance.ts';
import { addressIn, type Company } from './demo-companies.ts';
import { day, slug, spelledOut } from './demo-text.ts';
import { jobTitles, tags, type Region } from './demo-words.ts';

export interface Person {
  readonly values: JsonObject;
  readonly first: string;
  readonly last: string;
  /** The index of the company; undefined without one. */
  readonly company: number | undefined;
}

const count = 5_000;
/** The number of duplicates. */
const twiceCount = 40;

/** Makes the contacts. `owners` are user ids. */
export function makeContacts(companies: readonly Company[], owners: readonly string[]): readonly Person[] {
  shuffle(2);
  const taken = new Set<string>();
  const phones = new Set<string>();
  const companyAt = lottery(companies.map(({ employees }) => employees ** 0.55));
  const titleAt = lottery(jobTitles.map(([, weight]) => weight));
  const tagAt = lottery(tags.map(([, weight]) => weight));
  const people = Array.from({ length: count - twiceCount }, () => {
    const at = companyAt();
    const company = companies[at];
    if (!company) throw new Error('There are no companies to work for');
    const employed = !happens(0.04);
    const { region } = company;
    const person = newPerson(region, employed ? company.domain : undefined, taken);
    const values: JsonObject = {
      first_name: person.first,
      last_name: person.last,
      emails: person.emails,
      phones: phonesOf(region, company, phones),
      job_title: happens(0.1) ? null : (jobTitles[titleAt()]?.[0] ?? null),
      linkedin_url: happens(0.45)
        ? `https://www.linkedin.com/in/example-${slug(person.first)}-${slug(person.last)}`
        : null,
      address: happens(0.35) ? addressIn(region, company.city) : null,
      tags: happens(0.55) ? [] : [...new Set(Array.from({ length: between(1, 3) }, () => tags[tagAt()]?.[0] ?? ''))],
      birthday: happens(0.22) ? birthday() : null,
      do_not_contact: happens(0.03),
      owner: happens(0.8) ? company.owner : oneOf(owners),
    };
    return { values, first: person.first, last: person.last, company: employed ? at : undefined };
  });
  const twice = people.filter(({ last }) => last.length > 4).slice(0, twiceCount);
  return mixed([...people, ...twice.map(again)]);
}

/** A person with a unique address, or a unique name if there is no address. */
function newPerson({ language }: Region, domain: string | undefined, taken: Set<string>) {
  const faker = speaker(language);
  for (;;) {
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    const [short, long] = [slug(first), slug(last)];
    const isPrivate = domain === undefined || happens(0.05);
    const email = happens(0.06) ? undefined : `${short}.${long}@${isPrivate ? 'mail.example' : domain}`;
    const sign = email ?? `${first} ${last}`;
    if (taken.has(sign)) continue;
    taken.add(sign);
    return { first, last, emails: email === undefined ? [] : [emailOf(email, isPrivate ? 'private' : 'work')] };
  }
}

function emailOf(email: string, label: string): JsonObject {
  return { email, label, is_primary: true };
}

/** The direct line, the mobile number, both or none; each number is unique. */
function phonesOf({ mobiles }: Region, { city }: Company, taken: Set<string>): JsonObject[] {
  const wanted = [
    ...(happens(0.45) ? [{ label: 'work', pattern: city.phone }] : []),
    ...(happens(0.5) ? [{ label: 'mobile', pattern: oneOf(mobiles) }] : []),
  ];
  return wanted.flatMap(({ label, pattern }) => {
    const phone = digits(pattern);
    if (taken.has(phone)) return [];
    taken.add(phone);
    return [{ phone, label }];
  });
}

function birthday(): string {
  return day(new Date(Date.UTC(between(1958, 2003), between(0, 11), between(1, 28))));
}

/** A duplicate of the person: a detail of the name differs, and much is missing. */
function again({ first, last, values, company }: Person, at: number): Person {
  const spellings: readonly (readonly [string, string])[] = [
    [first, spelledOut(last) === last ? last.replace(/(.)\1/, '$1') : spelledOut(last)],
    [`${first.charAt(0)}.`, last],
    [first, `${last.slice(0, 2)}${last.charAt(3)}${last.charAt(2)}${last.slice(4)}`],
    [first, last],
  ];
  const [otherFirst, otherLast] = spellings[at % spellings.length] ?? [first, last];
  return {
    first: otherFirst,
    last: otherLast,
    company,
    values: {
      first_name: otherFirst,
      last_name: otherLast,
      emails: [emailOf(`${slug(first)}.${slug(last)}.${at}@mail.example`, 'private')],
      phones: values['phones'] ?? [],
      job_title: values['job_title'] ?? null,
      owner: values['owner'] ?? null,
    },
  };
}
