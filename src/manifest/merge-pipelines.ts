/** Merges pipelines. A list of steps replaces the stored list. */
import { quoted } from '../errors.ts';
import type { StepDefinition, StoredModel, StoredPipeline, StoredStep } from '../model/definition.ts';
import { idOf } from './draft.ts';
import type { Manifest, PipelineEntry, StepEntry } from './manifest.ts';
import { mergeNamed } from './merge-fields.ts';
import type { Problems } from './problems.ts';
import { notThere, renamesAmong, underNewNames } from './renames.ts';
import { below } from './shape.ts';

/** Merges the manifest's pipelines into the model, and sets their `places`. */
export function mergePipelines(
  model: StoredModel,
  manifest: Manifest,
  places: Map<string, string>,
  problems: Problems,
): StoredModel {
  const entries = manifest.pipelines ?? [];
  const objects = new Map(model.objects.map((object) => [object.name, object]));
  let pipelines = model.pipelines;
  for (const objectName of new Set(entries.map((entry) => entry.objectName))) {
    const own = entries.filter((entry) => entry.objectName === objectName);
    const object = objects.get(objectName);
    if (!object) {
      for (const entry of own.filter((item) => !item.absent)) {
        problems.add(below(entry.place, 'objectName'), notThere('object', objectName, objects.keys()));
      }
      continue;
    }
    const merged = mergeOfObject(object.id, own, pipelines, places, problems);
    pipelines = [...pipelines.filter((pipeline) => pipeline.object_id !== object.id), ...merged];
  }
  const order = new Map(model.pipelines.map((pipeline, index) => [pipeline.id, index]));
  const at = (pipeline: StoredPipeline) => order.get(pipeline.id) ?? Infinity;
  return { ...model, pipelines: pipelines.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b))) };
}

function mergeOfObject(
  objectId: string,
  entries: readonly PipelineEntry[],
  all: readonly StoredPipeline[],
  places: Map<string, string>,
  problems: Problems,
): readonly StoredPipeline[] {
  const stored = all.filter((pipeline) => pipeline.object_id === objectId);
  const renamed = underNewNames(stored, renamesAmong(entries, stored, problems));
  const merged = mergeNamed(entries, renamed, (entry, pipeline) =>
    mergePipeline(objectId, entry, pipeline, places, problems),
  );
  return withOneDefault(merged, entries, problems);
}

function mergePipeline(
  objectId: string,
  entry: PipelineEntry,
  stored: StoredPipeline | undefined,
  places: Map<string, string>,
  problems: Problems,
): StoredPipeline {
  const id = idOf(entry, stored, places);
  if (entry.steps === undefined && !stored)
    problems.add(below(entry.place, 'steps'), 'is required: the pipeline is new');
  const steps = entry.steps ? mergeSteps(entry, entry.steps, stored?.steps ?? [], places, problems) : stored?.steps;
  return {
    id,
    object_id: objectId,
    name: entry.name,
    is_default: entry.isDefault ?? stored?.is_default ?? false,
    steps: steps ?? [],
  };
}

/** Keeps exactly one default: the manifest's, or else the stored one, or else the first. */
function withOneDefault(
  pipelines: readonly StoredPipeline[],
  entries: readonly PipelineEntry[],
  problems: Problems,
): readonly StoredPipeline[] {
  const wanted = entries.filter((entry) => entry.isDefault && !entry.absent);
  for (const entry of wanted.slice(1)) {
    problems.add(below(entry.place, 'isDefault'), `is true for ${quoted(wanted[0]?.name ?? '')} already`);
  }
  const chosen =
    pipelines.find((pipeline) => pipeline.name === wanted[0]?.name) ??
    pipelines.find((pipeline) => pipeline.is_default) ??
    pipelines[0];
  return pipelines.map((pipeline) => ({ ...pipeline, is_default: pipeline === chosen }));
}

function mergeSteps(
  pipeline: PipelineEntry,
  entries: readonly StepEntry[],
  stored: readonly StoredStep[],
  places: Map<string, string>,
  problems: Problems,
): readonly StoredStep[] {
  const wanted = entries.filter((entry) => !entry.absent);
  if (wanted.length === 0) problems.add(below(pipeline.place, 'steps'), 'must have at least one step');
  const renamed = underNewNames(stored, renamesAmong(entries, stored, problems));
  return wanted.map((entry, order_index): StoredStep => {
    const known = renamed.find((step) => step.name === entry.name);
    const id = idOf(entry, known, places);
    return { id, name: entry.name, order_index, definition: stepDefinition(entry, known?.definition) };
  });
}

/** Empty keys are dropped, so that equal definitions are identical. */
function stepDefinition(entry: StepEntry, was: StepDefinition | undefined): StepDefinition {
  const questions =
    entry.questions?.map((question) => ({
      linked_field_name: question.linked_field_name,
      required_for_next_stage: question.required_for_next_stage ?? false,
      required_for_closure: question.required_for_closure ?? false,
      is_forced_value: question.is_forced_value ?? false,
    })) ?? was?.questions;
  const forced = entry.forced_values ? Object.fromEntries(entry.forced_values) : was?.forced_values;
  const defaults = entry.default_values ? Object.fromEntries(entry.default_values) : was?.default_values;
  return {
    kind: entry.kind ?? was?.kind ?? 'ongoing',
    ...(questions && questions.length > 0 && { questions }),
    ...(forced && Object.keys(forced).length > 0 && { forced_values: forced }),
    ...(defaults && Object.keys(defaults).length > 0 && { default_values: defaults }),
  };
}
