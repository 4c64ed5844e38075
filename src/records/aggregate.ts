/** Aggregates, remembered like totals. [spec: Aggregate] */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';
import {
  planAggregate,
  type AggregateAnswer,
  type AggregateRequest,
  type RememberedAnswer,
} from '../query/plan-aggregate.ts';
import { readAll } from './read-all.ts';
import { Remembered } from './remembered.ts';
import { countUses } from './uses.ts';

/** Longer answers are not worth their place. */
const longest = 16_384;

const answers = new Remembered<RememberedAnswer>({
  all: 16_000_000,
  organization: 1_000_000,
  lengthOf: ({ text }) => text.length,
});

/** The answer, and the field that it names. */
export async function aggregate(
  call: Call,
  object: ObjectDef,
  request: AggregateRequest,
): Promise<AggregateAnswer & { readonly field: string }> {
  const organization = call.model.organizationId;
  const plan = planAggregate(call, object, request, (key) => answers.recall(organization, key));
  const answer = await readAll(call, object, plan);
  countUses(call, object, { where: request.where });
  const { version, text } = answer;
  if (text.length <= longest) answers.remember(organization, plan.memoKey, { version, text });
  return { ...answer, field: plan.field };
}
