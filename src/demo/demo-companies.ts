/** The companies of the demo: a few large, most small, in four countries. */
import type { JsonObject } from '../lib/json.ts';
import { between, digits, happens, longTail, lottery, oneOf, shuffle, speaker } from './demo-chance.ts';
import { customers, regions, trades, type City, type Region } from './demo-words.ts';
import { slug } from './demo-text.ts';

export interface Company {
  readonly values: JsonObject;
  readonly name: string;
  readonly domain: string;
  readonly region: Region;
  readonly city: City;
  readonly employees: number;
  /** The owner of most of the company's records; null for none. */
  readonly owner: string | null;
}

const count = 800;

/** Makes the companies. `owners` are user ids; the first ones own more. */
export function makeCompanies(owners: readonly string[], today: Date): readonly Company[] {
  shuffle(1);
  const names = new Set<string>();
  const regionAt = lottery(regions.map(({ weight }) => weight));
  const tradeAt = lottery(trades.map(({ weight }) => weight));
  const ownerAt = lottery(owners.map((_, rank) => 2 / (rank + 2)));
  return Array.from({ length: count }, () => {
    const region = regions[regionAt()] ?? regions[0];
    const trade = trades[tradeAt()];
    if (!region || !trade) throw new Error('The demo has no words');
    const name = newName(region, names);
    const city = oneOf(region.cities);
    const employees = Math.min(45_000, Math.max(1, Math.round(longTail(38, 1.5))));
    const owner = happens(0.03) ? null : (owners[ownerAt()] ?? null);
    const domain = `${slug(name)}.example`;
    const since = today.getUTCFullYear() - Math.min(140, Math.round(longTail(18, 0.8)));
    const values: JsonObject = {
      name,
      domain,
      industry: happens(0.04) ? null : trade.industry,
      employees: happens(0.06) ? null : employees,
      annual_revenue: happens(0.18) ? null : { amount: revenue(employees), currency: region.currency },
      phones: happens(0.12) ? [] : [{ phone: digits(city.phone), label: 'main' }],
      linkedin_url: happens(0.25) ? null : `https://www.linkedin.com/company/example-${slug(name)}`,
      address: happens(0.08) ? null : addressIn(region, city),
      description: happens(0.3)
        ? null
        : `${oneOf(trade.offers)} for ${oneOf(customers)}, from ${city.city}, since ${since}.`,
      owner,
    };
    return { values, name, domain, region, city, employees, owner };
  });
}

/** A made-up address in a real city. */
export function addressIn({ country, language }: Region, { city, state, postal_code }: City): JsonObject {
  return { street: speaker(language).location.streetAddress(), city, state: state ?? null, postal_code, country };
}

function newName({ language }: Region, taken: Set<string>): string {
  for (;;) {
    const name = speaker(language).company.name();
    if (taken.has(slug(name))) continue;
    taken.add(slug(name));
    return name;
  }
}

/** A round number. */
function revenue(employees: number): number {
  const exact = employees * between(70, 260) * 1000;
  const round = 10 ** Math.max(4, Math.floor(Math.log10(exact)) - 1);
  return Math.round(exact / round) * round;
}
