import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FilterGroup } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { nameOf } from '../../api/record-name.ts';
import type { Field, ObjectShape, Workspace } from '../../api/workspace.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useFormats, useTexts } from '../../i18n/language.tsx';
import { optionAt, optionLabel } from '../../values/options.ts';
import { fieldAt } from '../columns.ts';
import { kindOf, type Kind } from './operators.ts';
import { isGroup, valueList, type Node } from './tree.ts';
import type { FilterLabels } from './words.ts';

export interface FilterField {
  readonly path: string;
  readonly label: string;
  readonly kind: Kind;
  readonly field: Field | undefined;
}

/** The field at the path of a condition. A pipeline's columns are fields of their own. */
export function filterField(workspace: Workspace, object: ObjectShape, path: string): FilterField {
  const pipeline = object.fields.find(({ type }) => type === 'PIPELINE');
  if (path === 'pipeline_step_id') return { path, label: pipeline?.label ?? path, kind: 'step', field: pipeline };
  if (path === 'pipeline_id') return { path, label: pipeline?.label ?? path, kind: 'pipeline', field: pipeline };
  const found = fieldAt(workspace, object, path);
  if (!found) return { path, label: path, kind: 'text', field: undefined };
  return { path, label: found.label, kind: kindOf(found.field), field: found.field };
}

/** Every field that can be filtered by, including those of related records. */
export function filterFields(workspace: Workspace, object: ObjectShape): readonly FilterField[] {
  const own = object.fields.filter(({ relationConfig }) => relationConfig?.relationType !== 'HAS_MANY');
  const paths = own.map(({ name, type }) => (type === 'PIPELINE' ? 'pipeline_step_id' : name));
  const behind = own.flatMap(({ name, type, relationConfig }) => {
    const target = type === 'RELATION' && relationConfig && workspace.objects.get(relationConfig.targetObjectName);
    if (!target) return [];
    const fields = target.fields.filter((one) => !one.relationConfig && one.type !== 'PIPELINE');
    return fields.map((one) => `${name}.${one.name}`);
  });
  return [...paths, ...behind].map((path) => filterField(workspace, object, path));
}

/** Names the filter's fields and values for this reader. */
export function useFilterLabels(object: ObjectShape, filter: FilterGroup | undefined): FilterLabels {
  const workspace = useWorkspace();
  const { filters: texts } = useTexts();
  const formats = useFormats();
  const names = useNames(workspace, object, filter);
  return useMemo(
    () => filterLabelsOf(workspace, object, texts, formats, names),
    [texts, formats, workspace, object, names],
  );
}

/** The same; `names` are the display names of records by id, as far as they are loaded. */
export function filterLabelsOf(
  workspace: Workspace,
  object: ObjectShape,
  texts: FilterLabels['texts'],
  formats: FilterLabels['formats'],
  names: ReadonlyMap<string, string> = new Map(),
): FilterLabels {
  return {
    texts,
    formats,
    field: (path) => filterField(workspace, object, path),
    value: (path, value) => valueName(filterField(workspace, object, path), value, workspace, names),
  };
}

function valueName(
  { kind, field }: FilterField,
  value: unknown,
  workspace: Workspace,
  names: ReadonlyMap<string, string>,
) {
  const id = String(value);
  if (kind === 'option') return field && optionAt(field, id) >= 0 ? optionLabel(field, id) : undefined;
  if (kind === 'user') return workspace.users.get(id)?.name;
  if (kind === 'step') return workspace.pipelines.flatMap(({ steps }) => steps).find((step) => step.id === id)?.name;
  if (kind === 'pipeline') return workspace.pipelines.find((pipeline) => pipeline.id === id)?.name;
  return kind === 'record' ? names.get(id) : undefined;
}

/** Loads the names of records whose ids are in the filter. */
function useNames(
  workspace: Workspace,
  object: ObjectShape,
  filter: FilterGroup | undefined,
): ReadonlyMap<string, string> {
  const wanted = useMemo(() => {
    const byObject = new Map<string, Set<string>>();
    const look = (node: Node): void => {
      if (isGroup(node)) return node.conditions.forEach(look);
      const { kind, field } = filterField(workspace, object, node.field);
      const target = field?.relationConfig?.targetObjectName;
      if (kind !== 'record' || target === undefined || !workspace.objects.has(target)) return;
      const ids = byObject.get(target) ?? new Set();
      for (const value of valueList(node)) ids.add(String(value));
      byObject.set(target, ids);
    };
    if (filter) look(filter);
    return [...byObject].map(([target, ids]) => ({ target, ids: [...ids].slice(0, 100).toSorted().join(',') }));
  }, [workspace, object, filter]);
  return useQueries({
    queries: wanted.map(({ target, ids }) => ({
      queryKey: ['names', target, ids],
      enabled: ids !== '',
      queryFn: () =>
        kith.records.list(target, { ids, limit: 100, fields: workspace.reader.displayFields[target] ?? 'id' }),
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, at) => {
          const display = workspace.reader.displayFields[wanted[at]?.target ?? ''];
          return (data?.data ?? []).map((row): [string, string] => [row.id, nameOf(row, display)]);
        }),
      ),
  });
}
