/** Restores values and links to their state before a change set, unless others have changed them since. */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { cellsOf } from '../past/image.ts';
import type { Change } from '../writing/change.ts';
import { putRowsBack } from '../writing/change-rows.ts';
import { columnsByField } from '../writing/columns.ts';
import { pipelineFields } from '../writing/pipeline-fields.ts';
import { standingAt } from '../writing/pipeline-position.ts';
import { leaderOf } from './bundles.ts';
import { earlierLinks } from './earlier-links.ts';
import { fieldsById, shownFields, type LookedAt, type Step } from './looked-at.ts';
import type { Reason } from './outcome.ts';

/** Restores what the caller may write. What it does not see is left silently. */
export const putValuesBack: Step = async (part) => {
  const { call, tx, object, records, outcome, earlier } = part;
  const wanted = new Map<string, Wanted>();
  for (const record of records) {
    if (sliceIsOver()) await nextSlice();
    // A created record is trashed as a whole, or kept.
    if (record.trace.isMade) continue;
    const { id, isPresent, mayUpdate } = record;
    const found = wantedOf(call, object, record);
    if (found.left.length > 0) for (const [reason, fields] of grouped(found.left)) outcome.leave(id, reason, fields);
    if (found.cells.size + found.links.length === 0) continue;
    if (!isPresent) {
      if (!earlier?.left.has(id) && !outcome.left.has(id)) outcome.leave(id, 'in_trash');
    } else if (!mayUpdate) outcome.leave(id, 'not_allowed');
    else wanted.set(id, found);
  }
  const linked = await earlierLinks(part, records, wanted);
  const changes = [...wanted].map(([id, { cells }]): Change => {
    return { id, cells, links: linked.get(id) ?? new Map<FieldDef, readonly Link[]>(), byStep: new Set() };
  });
  const real = changes.filter(({ cells, links }) => cells.size + links.size > 0);
  const refusals = await putRowsBack(call, tx, object, real);
  for (const { id } of real) {
    const refusal = refusals.get(id);
    if (refusal) outcome.refuse(id, refusal);
    else outcome.undone.add(id);
  }
};

/** The values to restore in one record. */
export interface Wanted {
  readonly cells: Map<FieldDef, readonly Cell[]>;
  /** Link fields. */
  readonly links: readonly FieldDef[];
  readonly left: readonly LeftField[];
}

type LeftField = readonly [Reason, string];

function grouped(left: readonly LeftField[]): ReadonlyMap<Reason, readonly string[]> {
  const byReason = Map.groupBy(left, ([reason]) => reason);
  return new Map([...byReason].map(([reason, some]) => [reason, [...new Set(some.map(([, name]) => name))]]));
}

function wantedOf(call: Call, object: ObjectDef, { trace }: LookedAt): Wanted {
  const left: LeftField[] = shownFields(call, object, trace.lost).map((name) => ['changed_since', name]);
  const cells = new Map<FieldDef, readonly Cell[]>();
  const columns = columnsByField(object);
  for (const [id, image] of trace.values) {
    const field = fieldsById(object).get(id);
    if (!field || !columns.has(field)) continue;
    const right = rightOn(call, object, field);
    // Only the author decides who sees a note. [spec: Notes]
    const isAuthors = object.kind === 'managed' && object.name === 'notes' && field.name === 'visibility';
    const mayPut = right === 'write' && !(isAuthors && !trace.isCallers.has(id));
    const was = cellsOf(image, field);
    if (right === 'none') continue;
    if (!mayPut) left.push(['not_allowed', leaderOf(object, field).name]);
    else if (!was) left.push(['does_not_fit', field.name]);
    else cells.set(field, was);
  }
  leaveLostStep(call, object, cells, left);
  return { cells, links: linksOf(call, object, trace, left), left };
}

/** A deleted step cannot be restored. */
function leaveLostStep({ model }: Call, object: ObjectDef, cells: Wanted['cells'], left: LeftField[]): void {
  const fields = pipelineFields(object);
  const [stepId = null] = (fields && cells.get(fields.step)) ?? [];
  if (!fields || stepId === null) return;
  const standing = standingAt(
    model.pipelines.filter(({ objectName }) => objectName === object.name),
    stepId,
  );
  const [pipelineId = standing?.pipeline.id] = cells.get(fields.pipeline) ?? [];
  if (standing && standing.pipeline.id === pipelineId) return;
  for (const field of [fields.pipeline, fields.step, fields.enteredAt]) cells.delete(field);
  left.push(['does_not_fit', fields.step.name]);
}

function linksOf(call: Call, object: ObjectDef, { links }: LookedAt['trace'], left: LeftField[]): readonly FieldDef[] {
  const fields: FieldDef[] = [];
  for (const [id, { there, stood, lost }] of links) {
    const field = fieldsById(object).get(id);
    if (!field || field.linkTable === undefined) continue;
    const right = rightOn(call, object, field);
    if (right === 'none') continue;
    if (lost.size > 0) left.push(['changed_since', field.name]);
    if (there.size + stood.size === 0) continue;
    if (right === 'write') fields.push(field);
    else left.push(['not_allowed', field.name]);
  }
  return fields;
}

function rightOn({ visibility }: Call, object: ObjectDef, field: FieldDef): 'none' | 'read' | 'write' {
  const { name } = leaderOf(object, field);
  if (!visibility.shows(object.name, name)) return 'none';
  return visibility.writes(object.name, name) ? 'write' : 'read';
}
