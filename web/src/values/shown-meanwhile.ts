/** The values to show until the service has answered: display names beside ids. */
import { queries } from '../api/queries.ts';
import type { Field, KithRecord, Workspace } from '../api/workspace.ts';
import type { Choice } from './editors/choices.tsx';
import { isObject, refsOf } from './shapes.ts';

/** The changed keys of the record; names already in the record are reused. */
export function shownMeanwhile(
  field: Field,
  value: unknown,
  { users, pipelines }: Pick<Workspace, 'users' | 'pipelines'>,
  record?: KithRecord,
): Record<string, unknown> {
  if (field.type === 'PIPELINE') {
    const step = pipelines.flatMap(({ steps }) => steps).find(({ id }) => id === value);
    return { pipeline_step_id: value, pipeline_step_id_display: step?.name ?? null };
  }
  if (field.type === 'MANY_TO_MANY' && Array.isArray(value)) {
    const there: unknown = record?.[field.name];
    const links = (Array.isArray(there) ? there : []).filter(isObject);
    return {
      [field.name]: value.map(
        (id: unknown) => links.find((link) => link['id'] === id) ?? { id, display: displayOf(String(id)) },
      ),
    };
  }
  if (field.type === 'USERS')
    return { [field.name]: value, [`${field.name}_display`]: users.get(String(value))?.name ?? null };
  if (!field.type.endsWith('RELATION')) return { [field.name]: value };
  const id = isObject(value) ? value['id'] : value;
  const [target] = record ? refsOf(field, record) : [];
  const display = target?.id === id ? target?.display : undefined;
  return { [field.name]: value, [`${field.name}_display`]: display ?? displayOf(String(id)) };
}

/** The name from the cached list that the reader chose from. */
function displayOf(id: string): string | null {
  for (const [, data] of queries.getQueriesData<{ found: readonly Choice[] }>({ queryKey: ['choices'] })) {
    const found = data?.found.find((choice) => choice.id.endsWith(`:${id}`));
    if (found) return found.label;
  }
  return null;
}
