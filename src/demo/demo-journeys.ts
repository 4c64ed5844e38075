/** The histories of deals and subscriptions, step by step with their times. */
import type { JsonObject } from '../lib/json.ts';
import { between, happens, longTail, shuffle } from './demo-chance.ts';
import type { Deal } from './demo-opportunities.ts';
import { daysFrom } from './demo-text.ts';
import { after, pastDays, workTime } from './demo-times.ts';
import { phases, stages } from './demo-words.ts';

/** A write of one record; the first creates it. */
export interface Deed {
  /** In milliseconds. */
  readonly at: number;
  /** A user id; null for the admin. */
  readonly by: string | null;
  readonly values: JsonObject;
}

/** The writes of each deal; the last ones give its present state. */
export function dealJourneys(deals: readonly Deal[], today: Date): readonly (readonly Deed[])[] {
  shuffle(5);
  return deals.map((deal) => dealJourney(deal, today));
}

function dealJourney({ values }: Deal, today: Date): readonly Deed[] {
  const end = String(values['pipeline_step_id']);
  const isClosed = end === 'Won' || end === 'Lost';
  const way = ['Lead', 'Qualified', 'Proposal', 'Negotiation'];
  const passed = way.slice(0, end === 'Lost' ? between(1, 4) : end === 'Won' ? 4 : way.indexOf(end));
  const steps = [...(passed.length > 2 && happens(0.15) ? passed.toSpliced(1, 1) : passed), end];
  const closed = String(values['close_date']);
  const ended = isClosed ? Math.round((today.getTime() - Date.parse(closed)) / 86_400_000) : between(1, 45);
  const stays = steps.slice(1).map(() => Math.max(1, Math.min(70, Math.round(longTail(12, 0.8)))));
  const times = timesOf(today, ended, stays);
  const by = values['owner'] as string | null;
  const expected = isClosed ? daysFrom(today, between(-12, 30) - ended) : (values['close_date'] ?? null);
  const deeds = steps.map((step, at): Deed => {
    const probability = stages.find(({ name }) => name === step)?.probability ?? 0;
    const start = at === 0 ? { ...values, amount: estimate(values), close_date: expected } : {};
    const priced = step === 'Proposal' ? { amount: values['amount'] ?? null } : {};
    const last = at === steps.length - 1 ? ending(values) : {};
    return { at: times[at] ?? 0, by, values: { ...start, pipeline_step_id: step, probability, ...priced, ...last } };
  });
  return isClosed || !happens(0.25) ? deeds : postponed(deeds, today);
}

function ending({ amount = null, close_date = null, probability = null }: JsonObject): JsonObject {
  return { amount, close_date, probability };
}

/** The first estimate of an amount: more or less than the present one, rounded. */
function estimate({ amount }: JsonObject): JsonObject | null {
  if (!amount) return null;
  const { amount: value, currency } = amount as { amount: number; currency: string };
  return { amount: Math.max(500, Math.round((value * between(70, 130)) / 1e5) * 1000), currency };
}

/** Adds that the closing date was postponed. */
function postponed(deeds: readonly Deed[], today: Date): readonly Deed[] {
  const last = deeds.at(-1);
  const day = last?.values['close_date'];
  if (!last || typeof day !== 'string') return deeds;
  const earlier = daysFrom(new Date(day), -between(7, 35));
  return [
    ...deeds.slice(0, -1),
    { ...last, values: { ...last.values, close_date: earlier } },
    { at: after(last.at, workTime(today, between(1, 10))), by: last.by, values: { close_date: day } },
  ];
}

/** The writes of each subscription; they begin with a trial on the start day. */
export function subscriptionJourneys(subscriptions: readonly Deal[], today: Date): readonly (readonly Deed[])[] {
  shuffle(6);
  return subscriptions.map(({ values }) => {
    const end = String(values['pipeline_step_id']);
    const way = ['Trial', ...(happens(0.3) ? ['Onboarding'] : []), 'Active'].filter((step) => step !== end);
    const passed = end === 'Trial' ? [] : end === 'Onboarding' ? ['Trial'] : way;
    const steps = [...passed, ...(end === 'Cancelled' && happens(0.3) ? ['At risk'] : []), end];
    const began = Math.round((today.getTime() - Date.parse(String(values['started_on']))) / 86_400_000);
    const usual = [between(12, 28), between(8, 30), between(60, 330), between(10, 60)].slice(0, steps.length - 1);
    const all = usual.reduce((sum, days) => sum + days, 0);
    const stays = usual.map((days) => Math.max(1, Math.floor((days * Math.min(all, Math.max(1, began - 3))) / all)));
    const ended = Math.max(1, began - stays.reduce((sum, days) => sum + days, 0));
    const times = timesOf(today, ended, stays);
    return steps.map((step, at): Deed => {
      const chance =
        at === steps.length - 1 ? values['renewal_chance'] : phases.find(({ name }) => name === step)?.chance;
      const start = at === 0 ? values : {};
      return {
        at: times[at] ?? 0,
        by: null,
        values: { ...start, pipeline_step_id: step, renewal_chance: chance ?? 0 },
      };
    });
  });
}

/** When each step was entered: the last one `ended` days ago, the earlier ones lasting `stays`; none before the demo's past. */
function timesOf(today: Date, ended: number, stays: readonly number[]): readonly number[] {
  const all = stays.reduce((sum, days) => sum + days, 0);
  const room = Math.min(all, Math.max(0, pastDays - 16 - ended));
  let left = all;
  let earlier = 0;
  return [...stays, 0].map((stay) => {
    const ago = ended + (all === 0 ? 0 : Math.round((left * room) / all));
    left -= stay;
    return (earlier = after(earlier, workTime(today, ago)));
  });
}
