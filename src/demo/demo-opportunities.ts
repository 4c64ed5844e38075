/** The deals of the demo, at every step of `Sales`: closed ones over the last eighteen months, open ones up to six months ahead. */
import type { JsonObject } from '../lib/json.ts';
import { between, happens, longTail, lottery, oneOf, mixed, shuffle } from './demo-chance.ts';
import type { Company } from './demo-companies.ts';
import { daysFrom } from './demo-text.ts';
import { workday } from './demo-times.ts';
import { deals, sources, stages } from './demo-words.ts';

export interface Deal {
  readonly values: JsonObject;
  /** The index of the company. */
  readonly company: number;
}

/** Makes the deals. `owners` are user ids. */
export function makeOpportunities(
  companies: readonly Company[],
  owners: readonly string[],
  today: Date,
): readonly Deal[] {
  shuffle(3);
  const names = new Set<string>();
  const companyAt = lottery(companies.map(({ employees }) => employees ** 0.4));
  const sourceAt = lottery(sources.map(([, weight]) => weight));
  const standing = mixed(stages.flatMap((stage) => Array.from({ length: stage.count }, () => stage)));
  return standing.map((stage): Deal => {
    const at = companyAt();
    const company = companies[at];
    if (!company) throw new Error('There are no companies to sell to');
    const isEarly = stage.name === 'Lead';
    const isOpen = stage.probability > 0 && stage.probability < 100;
    const values: JsonObject = {
      name: newName(company.name, names),
      amount: isEarly && happens(0.2) ? null : { amount: amountFor(company), currency: company.region.currency },
      probability: isOpen ? stage.probability + 5 * between(-1, 1) : stage.probability,
      close_date: isEarly && happens(0.25) ? null : daysFrom(today, closing(stage.closes, isOpen, today)),
      source: happens(0.07) ? null : (sources[sourceAt()]?.[0] ?? null),
      pipeline_step_id: stage.name,
      owner: company.owner !== null && happens(0.85) ? company.owner : oneOf(owners),
    };
    return { values, company: at };
  });
}

function newName(company: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const name = `${company} – ${oneOf(deals)}${number > 10 ? ` ${number}` : ''}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** Larger companies buy more; prices are whole hundreds. */
function amountFor({ employees }: Company): number {
  return Math.max(500, Math.round((longTail(5_500, 0.7) * Math.max(1, employees / 40) ** 0.45) / 100) * 100);
}

/** A day within the range. Closed deals are on workdays and more frequent lately, as in a growing business. */
function closing([from, to]: readonly [number, number], isOpen: boolean, today: Date): number {
  return isOpen ? between(from, to) : -workday(today, -Math.max(between(from, to), between(from, to)));
}
