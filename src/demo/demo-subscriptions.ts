/** The subscriptions of the demo, a custom object from its manifest. */
import type { JsonObject } from '../lib/json.ts';
import { between, happens, longTail, lottery, shuffle } from './demo-chance.ts';
import type { Company } from './demo-companies.ts';
import type { Deal } from './demo-opportunities.ts';
import { daysFrom } from './demo-text.ts';
import { phases, plans } from './demo-words.ts';

const count = 250;

/** Makes the subscriptions: for each customer first, then for other companies. */
export function makeSubscriptions(
  companies: readonly Company[],
  opportunities: readonly Deal[],
  today: Date,
): readonly Deal[] {
  shuffle(4);
  const won = opportunities.filter(({ values }) => values['pipeline_step_id'] === 'Won').map(({ company }) => company);
  const buyers = [...new Set(won)];
  const companyAt = lottery(companies.map(({ employees }) => employees ** 0.3));
  const planAt = lottery(plans.map(({ weight }) => weight));
  const phaseAt = lottery(phases.map(({ weight }) => weight));
  return Array.from({ length: count }, (_, number): Deal => {
    const at = buyers[number] ?? companyAt();
    const company = companies[at];
    // Each step and each plan occurs at least once.
    const plan = plans[number] ?? plans[planAt()];
    const phase = phases[number] ?? phases[phaseAt()];
    if (!company || !plan || !phase) throw new Error('There is nothing to subscribe to');
    const seats = Math.max(1, Math.round(longTail(plan.seats, 0.5)));
    const isTrial = phase.name === 'Trial';
    const started = isTrial ? -between(2, 25) : -between(45, 520);
    const values: JsonObject = {
      code: `SUB-${1001 + number}`,
      name: `${company.name} – ${plan.label}`,
      plan: plan.plan,
      seats,
      monthly_fee: { amount: seats * plan.fee, currency: company.region.currency },
      discount: happens(0.3) ? 5 * between(1, 5) : 0,
      renewal_chance: phase.chance === 0 ? 0 : Math.min(100, phase.chance + between(-8, 5)),
      started_on: daysFrom(today, started),
      renews_on: phase.name === 'Cancelled' ? null : daysFrom(today, isTrial ? started + 30 : renewal(started)),
      pipeline_step_id: phase.name,
      owner: company.owner,
    };
    return { values, company: at };
  });
}

/** The first renewal from tomorrow on, whole years after the start. */
function renewal(started: number): number {
  return started + 365 * Math.ceil((1 - started) / 365);
}
