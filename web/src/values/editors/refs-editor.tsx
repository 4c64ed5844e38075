/** Records and users by typing. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { kith } from '../../api/kith.ts';
import { nameOf } from '../../api/record-name.ts';
import type { Field, Workspace } from '../../api/workspace.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { refsOf, textIn, type Ref } from '../shapes.ts';
import { Choices, type Choice } from './choices.tsx';
import { useEnding, type EditorProps } from './editing.tsx';

const mostShown = 20;

/** A user of the workspace, of those that are active. */
export function UserEditor(props: EditorProps) {
  const { field, record, error, autoFocus = false, begun } = props;
  const { users } = useWorkspace();
  const ending = useEnding(props);
  const [typed, setTyped] = useState(begun ?? '');
  const wanted = typed.trim().toLocaleLowerCase();
  const fitting = [...users.values()].filter(
    ({ name, email, is_active }) => is_active && `${name} ${email}`.toLocaleLowerCase().includes(wanted),
  );
  const choiceOf = (id: string, name: string): Choice => ({ id, label: name, shown: <Person name={name} /> });
  return (
    <Choices
      label={field.label}
      isMany={false}
      chosen={refsOf(field, record).map(({ id, display }) => choiceOf(id, display ?? users.get(id)?.name ?? id))}
      found={fitting.slice(0, mostShown).map(({ id, name }) => choiceOf(id, name))}
      more={fitting.length - mostShown}
      typed={typed}
      setTyped={setTyped}
      keep={(chosen) => ending.keep(chosen[0]?.id ?? null)}
      stop={ending.stop}
      error={error}
      autoFocus={autoFocus}
    />
  );
}

function Person({ name }: { name: string }) {
  return (
    <>
      <Avatar name={name} />
      <bdi className="clip">{name}</bdi>
    </>
  );
}

/** Records that the field may lead to; of a dependent one, those of its parent. */
export function RecordEditor(props: EditorProps) {
  const { field, record, error, autoFocus = false, begun } = props;
  const workspace = useWorkspace();
  const ending = useEnding(props);
  const [typed, setTyped] = useState(begun ?? '');
  const wanted = useDeferredValue(typed).trim();
  const limits = parentLimits(field, record, workspace);
  const { data, isFetching } = useQuery({
    queryKey: ['choices', field.relationConfig, wanted, limits],
    queryFn: () => choicesOf(field, wanted, limits, workspace),
    placeholderData: keepPreviousData,
  });
  const isMany = field.type === 'MANY_TO_MANY';
  const isMorph = field.type === 'MORPH_RELATION';
  const keep = (chosen: readonly Choice[]) => {
    if (isMany) return ending.keep(chosen.map(({ id }) => id.slice(id.indexOf(':') + 1)));
    const [first] = chosen;
    if (!first) return ending.keep(null);
    const [object, id] = first.id.split(':');
    ending.keep(isMorph ? { object, id } : id);
  };
  const stopWhereSame = (chosen: readonly Choice[]) => {
    const before = refsOf(field, record).map(choiceOf);
    if (before.map(({ id }) => id).join() === chosen.map(({ id }) => id).join()) ending.stop();
    else keep(chosen);
  };
  return (
    <Choices
      label={field.label}
      isMany={isMany}
      chosen={refsOf(field, record).map(choiceOf)}
      found={data?.found ?? []}
      more={data?.more ?? 0}
      isSearching={isFetching}
      typed={typed}
      setTyped={setTyped}
      keep={stopWhereSame}
      stop={ending.stop}
      error={error}
      autoFocus={autoFocus}
    />
  );
}

function choiceOf({ id, object = '', display }: Ref): Choice {
  return { id: `${object}:${id}`, label: display ?? id };
}

interface Limit {
  readonly field: string;
  readonly value: string;
}

/** What a record has to belong to: the one that the parent names, by the relation of the parent's name, else by the first that leads there. */
function parentLimits(
  field: Field,
  record: Readonly<Record<string, unknown>>,
  { objects }: Pick<Workspace, 'objects'>,
): Limit[] {
  const { dependsOn, relationConfig } = field;
  const parentId = dependsOn === undefined ? undefined : textIn(record[dependsOn]);
  if (dependsOn === undefined || parentId === undefined) return [];
  const isParent = (one: Field) => one.name === dependsOn;
  const own = [...objects.values()].find(({ fields }) => fields.includes(field));
  const above = own?.fields.find(isParent)?.relationConfig?.targetObjectName;
  const leading = (objects.get(relationConfig?.targetObjectName ?? '')?.fields ?? []).filter(
    ({ relationConfig: to }) => to?.relationType === 'BELONGS_TO_ONE' && to.targetObjectName === above,
  );
  const link = leading.find(isParent) ?? leading[0];
  return link ? [{ field: link.name, value: parentId }] : [];
}

async function choicesOf(field: Field, wanted: string, limits: readonly Limit[], { objects, reader }: Workspace) {
  const { targetObjectName = '', targetObjectNames } = field.relationConfig ?? {};
  const names = (targetObjectNames ?? [targetObjectName]).filter((name) => objects.has(name));
  const filters = limits.map((limit) => ({ field: limit.field, operator: 'equals' as const, value: limit.value }));
  const pages = await Promise.all(
    names.map(async (object) => {
      const answer = await kith.records.list(object, {
        limit: mostShown,
        ...(wanted !== '' && { search: wanted }),
        ...(filters.length > 0 && { filters: { type: 'AND' as const, conditions: filters } }),
      });
      const found = answer.data.map((one): Choice => ({
        id: `${object}:${one.id}`,
        label: nameOf(one, reader.displayFields[object]),
        ...(names.length > 1 && { detail: objects.get(object)?.labelSingular ?? object }),
      }));
      return { found, more: answer.total - found.length };
    }),
  );
  return { found: pages.flatMap(({ found }) => found), more: pages.reduce((sum, { more }) => sum + more, 0) };
}
