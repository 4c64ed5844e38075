/** [spec: Duplicates] Finds possible duplicates, merges records, and reverts a merge. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Call } from '../../access/call.ts';
import { Lenient } from '../../describe/annotations.ts';
import { errors, Mistakes, quoted } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isUuid } from '../../lib/id.ts';
import { joined, together } from '../../lib/long-text.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { hasRecords, type ObjectDef } from '../../model/model.ts';
import { statement } from '../../postgres/sql.ts';
import { comparedFields } from '../../records/merging/compared-fields.ts';
import { detectDuplicates } from '../../records/merging/detect.ts';
import { fillable } from '../../records/merging/master-values.ts';
import { mergeRecords } from '../../records/merging/merge.ts';
import type { Counts } from '../../records/merging/moved.ts';
import { unmergeRecords } from '../../records/merging/unmerge.ts';
import { objectNamed } from '../../records/reading/named.ts';
import { readRecords } from '../../records/reading/read-created.ts';
import { Choice, pageSize } from '../inputs.ts';
import { defineOperation, JsonText } from '../door/operation.ts';
import { Id } from '../outputs.ts';

/** The most duplicates in one merge. */
const mostDuplicates = 100;

const groupCount = pageSize(50, 200);

const Input = Type.Object(
  {
    action: Type.Optional(
      Lenient(Type.String({ examples: ['merge'] }), '`merge`, `unmerge`; anything else looks for duplicates'),
    ),
    object_name: Type.String({ description: 'Plural name of the object' }),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Detect: what is compared; addresses, numbers and names when absent' }),
    ),
    limit: groupCount.input,
    normalize: Type.Optional(Type.Boolean({ description: 'Detect: compare phone numbers in E.164' })),
    master_id: Type.Optional(Type.String({ description: 'Merge: id of the record that stays' })),
    duplicate_ids: Type.Optional(
      Type.Array(Type.String(), { description: `Ids of the records that are merged, at most ${mostDuplicates}` }),
    ),
    merge_strategy: Type.Optional(Choice(['keep_master', 'fill_blanks'], 'keep_master')),
    values: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Merge: by field, the id of the record whose value the master gets',
      }),
    ),
  },
  { additionalProperties: false },
);

type Given = Static<typeof Input>;

const Moves = Type.Record(Type.String(), Type.Integer(), {
  description: 'How many relations and links moved, by object and field; `lists` for places on lists',
});

export const handleDuplicates = defineOperation({
  id: 'records.duplicates',
  summary: 'Find possible duplicates, merge records, or revert a merge',
  input: Input,
  output: Type.Union([
    Type.Object({
      object_name: Type.String(),
      duplicate_groups: Type.Array(
        Type.Object({
          records: Type.Array(Type.Unknown({ description: 'A record of the object' })),
          match_reason: Type.String({ examples: ["name: 'Acme'"] }),
        }),
      ),
      total_groups: Type.Integer({ minimum: 0 }),
      records_scanned: Type.Integer({ minimum: 0 }),
      truncated: Type.Optional(
        Type.Boolean({ description: 'Present where there are more records than were compared' }),
      ),
    }),
    Type.Object({
      master_id: Id,
      duplicates_deleted: Type.Integer(),
      updated_relations: Type.Integer(),
      strategy: Type.String({ enum: ['keep_master', 'fill_blanks'] }),
      moved: Type.Optional(Moves),
      record: Type.Optional(Type.Unknown({ description: 'A dry run: the master as it would be' })),
    }),
    Type.Object({
      master_id: Id,
      duplicates_restored: Type.Integer(),
      updated_relations: Type.Integer(),
      moved: Moves,
      ambiguous: Type.Array(
        Type.Object({ object_name: Type.String(), record_id: Id, field: Type.String(), reason: Type.String() }),
      ),
      total_ambiguous: Type.Integer(),
    }),
  ]),
  effect: 'destructive',
  cost: 'expensive',
  source: 'merge',
  adminOnly: 'Finding and merging duplicates',
  run(call, input) {
    const object = objectNamed(call.model, call.visibility, input.object_name, hasRecords);
    if (input.action === 'merge') return merge(call, input, object);
    if (input.action === 'unmerge') return unmerge(call, input, object);
    return detect(call, input, object);
  },
});

async function detect(call: Call, { fields, limit, normalize = false }: Given, object: ObjectDef): Promise<JsonText> {
  const most = groupCount.of(call, limit);
  const compared = comparedFields(call, object, fields);
  const { groups, scanned, isCut } = await detectDuplicates(call, object, compared, normalize);
  const shown = groups.slice(0, most);
  const ids = shown.flatMap((group) => group.ids);
  const { version } = call.model;
  const records = await readRecords(
    call,
    (query) => call.workspace.readOnPlainClient(statement(query, version)),
    object,
    ids,
  );
  const texts = new Map(ids.map((id, at) => [id, records[at] ?? '']));
  const groupTexts = shown.map((group) => {
    const own = group.ids.map((id) => texts.get(id) ?? '');
    return together('{"records":[', joined(own, ','), `],"match_reason":${JSON.stringify(group.reasons.join(', '))}}`);
  });
  const rest = { total_groups: groups.length, records_scanned: scanned, ...(isCut && { truncated: true }) };
  const head = `{"object_name":${JSON.stringify(object.name)},"duplicate_groups":[`;
  return new JsonText(together(head, joined(groupTexts, ','), '],', JSON.stringify(rest).slice(1)));
}

async function merge(call: Call, input: Given, object: ObjectDef): Promise<JsonText> {
  const masterId = input.master_id?.trim().toLowerCase() ?? '';
  if (masterId === '') throw errors.missingField('master_id');
  const duplicateIds = duplicatesOf(input);
  const strategy = input.merge_strategy ?? 'keep_master';
  if (!isUuid(masterId)) throw noMaster(object, masterId, strategy);
  if (duplicateIds.includes(masterId)) throw errors.mergeFailed(`${masterId} cannot be merged into itself`);
  const chosen = chosenValues(call, object, input.values ?? {}, [masterId, ...duplicateIds]);
  const { counts, record } = await mergeRecords(call, object, { masterId, duplicateIds, strategy, chosen });
  const answer = {
    master_id: masterId,
    duplicates_deleted: duplicateIds.length,
    updated_relations: relationsIn(counts),
    strategy,
  };
  // A dry run also shows the merged record and what would move.
  if (!call.isTrial) return new JsonText(JSON.stringify(answer));
  const head = JSON.stringify({ ...answer, moved: named(call, counts) });
  return new JsonText(together(`${head.slice(0, -1)},"record":`, record?.json ?? 'null', '}'));
}

async function unmerge(call: Call, input: Given, object: ObjectDef): Promise<object> {
  const duplicateIds = duplicatesOf(input);
  const masterId = input.master_id?.trim().toLowerCase();
  const outcome = await unmergeRecords(call, object, { duplicateIds, masterId });
  return {
    master_id: outcome.masterId,
    duplicates_restored: duplicateIds.length,
    updated_relations: relationsIn(outcome.counts),
    moved: named(call, outcome.counts),
    ambiguous: outcome.ambiguous,
    total_ambiguous: outcome.ambiguities,
  };
}

function noMaster({ name }: ObjectDef, id: string, strategy: string) {
  const missing = errors.recordNotFound(name, id, ' to merge into');
  return strategy === 'fill_blanks' ? missing : errors.mergeFailed(missing.message);
}

/** The ids without repetitions. Throws MISSING_REQUIRED_FIELD, VALIDATION_ERROR, and MERGE_FAILED for an invalid id. */
function duplicatesOf({ duplicate_ids: given = [] }: Given): readonly string[] {
  if (given.length === 0) throw errors.missingField('duplicate_ids', 'at least one');
  const ids = [...new Set(given.map((id) => (isUuid(id.trim()) ? id.trim().toLowerCase() : id)))];
  if (ids.length > mostDuplicates)
    throw errors.validation(`duplicate_ids takes at most ${mostDuplicates} ids a call, not ${ids.length}`);
  const wrong = ids.filter((id) => !isUuid(id));
  if (wrong.length === 0) return ids;
  const problems = wrong.map((id) => ({ field: 'duplicate_ids', message: `${quoted(id)} is not the id of a record` }));
  throw errors.mergeFailed(problems.map(({ message }) => message).join('; '), problems);
}

/** The record whose value is to be kept, by field. Throws VALIDATION_ERROR with all problems. */
function chosenValues(
  call: Call,
  object: ObjectDef,
  values: Readonly<Record<string, string>>,
  merged: readonly string[],
): ReadonlyMap<FieldDef, string> {
  const mistakes = new Mistakes();
  const known = fillable(object).filter(({ name }) => call.visibility.writes(object.name, name));
  const names = known.map(({ name }) => name);
  const chosen = new Map<FieldDef, string>();
  for (const [name, given] of Object.entries(values)) {
    const field = known.find((candidate) => candidate.name === name);
    const id = given.toLowerCase();
    if (!field) {
      const message = () => `${quoted(name)} is no field of which one value is chosen${didYouMean(name, names)}`;
      mistakes.addUnknown(() => ({ field: 'values', message: message() }), names);
    } else if (!merged.includes(id))
      mistakes.add({
        field: 'values',
        message: `${name} takes the id of a record that is merged: the one whose value is taken`,
      });
    else chosen.set(field, id);
  }
  mistakes.refuse();
  return chosen;
}

function relationsIn(counts: Counts): number {
  return Object.entries(counts).reduce((sum, [key, count]) => (key === 'lists' ? sum : sum + count), 0);
}

/** The counts by `object.field` names. */
function named({ model }: Call, counts: Counts): Record<string, number> {
  const names = new Map(
    [...model.objects.values()].flatMap((object) =>
      [...object.attributes.values()].map((field) => [field.id, `${object.name}.${field.name}`] as const),
    ),
  );
  return Object.fromEntries(Object.entries(counts).map(([key, count]) => [names.get(key) ?? key, count]));
}
