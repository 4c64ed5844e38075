/** Targets of a column: fields, parts of fields, and fields of related records. */
import type { ObjectShape } from '../api/workspace.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import type { Entry } from './draft.ts';
import type { Job } from './read-file.ts';

export interface Target {
  readonly path: string;
  readonly label: string;
  /** Whether the values are looked up among records. */
  readonly namesRecords?: boolean;
}

const addressParts = ['street', 'street2', 'city', 'state', 'postal_code', 'country'];
const setParts: Readonly<Record<string, readonly string[]>> = {
  EMAILS: [':work', ':home', ':other', '.label'],
  PHONES: [':mobile', ':work', ':home', ':fax', '.label'],
  ADDRESS: addressParts.map((part) => `.${part}`),
  CURRENCY: ['.currency'],
};

/** All targets, in the order of the fields. */
export function targetsOf(
  job: Job,
  objects: ReadonlyMap<string, ObjectShape>,
  texts: Catalogue['imports'],
): readonly Target[] {
  const shape = objects.get(job.object_name);
  const names = new Set(job.target_fields.map(({ name }) => name));
  const whole = names.has('first_name') && names.has('last_name') && !names.has('full_name');
  return [
    ...(whole ? [{ path: 'full_name', label: texts.fullName }] : []),
    ...job.target_fields.flatMap(({ name, label, type }) => {
      const parts = (setParts[type] ?? []).map((part) => ({
        path: name + part,
        label: texts.partOf(label, texts.parts[part.slice(1)] ?? part.slice(1)),
      }));
      const related = objects.get(
        shape?.fields.find((field) => field.name === name)?.relationConfig?.targetObjectName ?? '',
      );
      const keys = (related?.fields ?? [])
        .filter((field) => ['TEXT', 'URL', 'EMAIL', 'EMAILS'].includes(field.type) && !field.isReadonly)
        .map((field) => ({
          path: `${name}.${field.name}`,
          label: texts.byField(label, field.label),
          namesRecords: true,
        }));
      return [{ path: name, label, ...(related && { namesRecords: true }) }, ...parts, ...keys];
    }),
  ];
}

/** The label of a path, even of one that is not in the list. */
export function labelOfPath(path: string, targets: readonly Target[], texts: Catalogue['imports']): string {
  const listed = targets.find((target) => target.path === path);
  if (listed) return listed.label;
  const [, field = path, part = ''] = /^([^.:]+)[.:](.+)$/.exec(path) ?? [];
  const label = targets.find((target) => target.path === field)?.label ?? field;
  return part === '' ? label : texts.partOf(label, texts.parts[part] ?? part);
}

/** An entry that makes a new field for a column. */
export function newFieldOf({ column, type, could_be: known }: Job['columns'][number]): Entry {
  if (known !== undefined) return known as Entry;
  const name = column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60);
  return {
    column,
    action: 'new_field',
    new_field_name: /^[a-z]/.test(name) ? name : `field_${name || 'new'}`,
    new_field_label: column,
    new_field_type: type,
  };
}
