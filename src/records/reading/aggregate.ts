/** Aggregates, cached like totals. [spec: Aggregate] */
import type { Call } from '../../access/call.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ObjectDef } from '../../model/model.ts';
import {
  planAggregate,
  type AggregateAnswer,
  type AggregateRequest,
  type RememberedAnswer,
} from '../../query/plan-aggregate.ts';
import { readAll } from './read-all.ts';
import { countUses } from './uses.ts';

/** Longer answers are not cached. */
const longest = 16_384;

const answers = new OwnedLru<string, RememberedAnswer>({
  name: 'aggregates',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 4 * 1024 * 1024,
  bytesOf: (key, { version, outcomes }) => bytesOfText(key) + bytesOfText(version) + bytesOfOutcomes(outcomes),
});

function bytesOfOutcomes(outcomes: RememberedAnswer['outcomes']): number {
  return outcomes.reduce((sum, { key, text }) => sum + bytesOfText(key ?? '') + bytesOfText(text) + 50, 0);
}

/** Computes the aggregate; returns the answer and the field that it names. */
export async function aggregate(
  call: Call,
  object: ObjectDef,
  request: AggregateRequest,
): Promise<AggregateAnswer & { readonly field: string }> {
  const organization = call.model.organizationId;
  const plan = planAggregate(call, object, request, (key) => answers.get(organization, key));
  const answer = await readAll(call, object, plan);
  countUses(call, object, { where: request.where });
  const { version, text, outcomes } = answer;
  if (text.length <= longest) answers.set(organization, plan.cacheKey, { version, outcomes });
  return { ...answer, field: plan.field };
}
