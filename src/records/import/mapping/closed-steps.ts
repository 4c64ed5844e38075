/** Programs call the last steps of their pipelines "Closed Won" and "Closed Lost"; in Kith, steps are won or lost by their kind. */
import type { PipelineStepDef } from '../../../fields/field-type.ts';
import { placesCalled } from '../../../fields/types/pipeline.ts';

const closed = /^closed[\s-]*(?<kind>won|lost)$/i;

/** The step that a cell means, where no step is called so and there is one of that kind: its id. Else what the cell says. */
export function stepMeant(cell: string, steps: readonly PipelineStepDef[]): string {
  const kind = closed.exec(cell)?.groups?.['kind']?.toLowerCase();
  if (kind === undefined || placesCalled(cell, steps).length > 0) return cell;
  const [only, another] = steps.filter((step) => step.kind === kind);
  return only === undefined || another !== undefined ? cell : only.id;
}
