/** Maps "Closed Won" and "Closed Lost", the last steps of other programs' pipelines, to Kith's won and lost steps. */
import type { PipelineStepDef } from '../../../fields/field-type.ts';
import { optionsNamed } from '../../../fields/types/pipeline.ts';

const closed = /^closed[\s-]*(?<kind>won|lost)$/i;

/** The id of the only step of the kind that a cell means, unless a step has that name; otherwise the cell. */
export function stepMeant(cell: string, steps: readonly PipelineStepDef[]): string {
  const kind = closed.exec(cell)?.groups?.['kind']?.toLowerCase();
  if (kind === undefined || optionsNamed(cell, steps).length > 0) return cell;
  const [only, another] = steps.filter((step) => step.kind === kind);
  return only === undefined || another !== undefined ? cell : only.id;
}
