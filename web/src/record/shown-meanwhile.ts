/** A new value as the record shows it until the service has answered: names beside ids. */
import { queries } from '../api/queries.ts';
import type { Field, Workspace } from '../api/workspace.ts';
import type { Choice } from '../values/editors/choices.tsx';
import { isObject } from '../values/shapes.ts';

/** The values of the record that change with the field. */
export function shownMeanwhile(field: Field, value: unknown, { users, pipelines }: Workspace): Record<string, unknown> {
  if (field.type === 'PIPELINE') {
    const step = pipelines.flatMap(({ steps }) => steps).find(({ id }) => id === value);
    return { pipeline_step_id: value, pipeline_step_id_display: step?.name ?? null };
  }
  if (field.type === 'MANY_TO_MANY' && Array.isArray(value)) {
    return { [field.name]: value.map((id: unknown) => ({ id, display: displayOf(String(id)) })) };
  }
  if (field.type === 'USERS')
    return { [field.name]: value, [`${field.name}_display`]: users.get(String(value))?.name ?? null };
  if (!field.type.endsWith('RELATION')) return { [field.name]: value };
  const id = isObject(value) ? value['id'] : value;
  return { [field.name]: value, [`${field.name}_display`]: displayOf(String(id)) };
}

/** What the list that was chosen from called it. */
function displayOf(id: string): string | null {
  for (const [, data] of queries.getQueriesData<{ found: readonly Choice[] }>({ queryKey: ['choices'] })) {
    const found = data?.found.find((choice) => choice.id.endsWith(`:${id}`));
    if (found) return found.label;
  }
  return null;
}
