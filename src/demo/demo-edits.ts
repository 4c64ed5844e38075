/** Changes of companies and contacts after their import: earlier values, and the edits to the present ones. */
import type { JsonObject } from '../lib/json.ts';
import { between, happens, lottery, oneOf, shuffle } from './demo-chance.ts';
import type { Deed } from './demo-journeys.ts';
import { after, daysAgo, workTime } from './demo-times.ts';
import { jobTitles } from './demo-words.ts';

/** Edits of companies: growth, more details, or another owner. `owners` are user ids. */
export function companyDeeds(
  companies: readonly JsonObject[],
  times: readonly number[],
  owners: readonly string[],
  today: Date,
): readonly (readonly Deed[])[] {
  shuffle(7);
  return companies.map((values, place) => {
    const made = times[place] ?? 0;
    if (!happens(0.16)) return asItIs(values, made);
    const { employees, owner, description } = values;
    if (typeof employees === 'number' && employees > 9 && happens(0.5))
      return edited(values, { employees: Math.max(1, Math.round((employees * between(60, 95)) / 100)) }, made, today);
    if (typeof owner === 'string' && happens(0.5)) {
      const others = owners.filter((id) => id !== owner);
      return edited(values, { owner: oneOf(others) }, made, today, null);
    }
    return description ? edited(values, { description: null }, made, today) : asItIs(values, made);
  });
}

/** Edits of contacts: another job, a new number, or tags. */
export function contactDeeds(
  people: readonly JsonObject[],
  times: readonly number[],
  today: Date,
): readonly (readonly Deed[])[] {
  shuffle(8);
  const titleAt = lottery(jobTitles.map(([, weight]) => weight));
  return people.map((values, place) => {
    const made = times[place] ?? 0;
    if (!happens(0.055)) return asItIs(values, made);
    const title = jobTitles[titleAt()]?.[0] ?? null;
    const { job_title: job, phones, tags } = values;
    if (job && job !== title && happens(0.6)) return edited(values, { job_title: title }, made, today);
    if (isFilled(tags) && happens(0.5)) return edited(values, { tags: [] }, made, today);
    return isFilled(phones) ? edited(values, { phones: [] }, made, today) : asItIs(values, made);
  });
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function asItIs(values: JsonObject, at: number): readonly Deed[] {
  return [{ at, by: null, values }];
}

/** A record that first had the values `earlier` and was then changed, by its owner unless specified. */
function edited(
  values: JsonObject,
  earlier: JsonObject,
  made: number,
  today: Date,
  by = (values['owner'] ?? null) as string | null,
): readonly Deed[] {
  const at = after(made, workTime(today, between(1, Math.max(1, daysAgo(today, made) - 1))));
  const changed = Object.fromEntries(Object.keys(earlier).map((name) => [name, values[name] ?? null]));
  return [
    { at: made, by: null, values: { ...values, ...earlier } },
    { at, by, values: changed },
  ];
}
