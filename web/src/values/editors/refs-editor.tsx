/** Chooses records and users by typing. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { refsOf, type Ref } from '../shapes.ts';
import { Choices, type Choice } from './choices.tsx';
import { useEnding, type EditorProps } from './editing.tsx';
import { choicesOf, mostShown, parentLimits, recordIn } from './record-choices.ts';

/** Chooses among active users. */
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

/** Chooses records that the field may refer to; for a dependent field, those of its parent. */
export function RecordEditor(props: EditorProps) {
  const { field, record, error, autoFocus = false, begun } = props;
  const workspace = useWorkspace();
  const { values } = useTexts();
  const ending = useEnding(props);
  const [typed, setTyped] = useState(begun ?? '');
  const wanted = useDeferredValue(typed).trim();
  const limits = parentLimits(field, record, workspace);
  const asking = (text: string) => ({
    queryKey: ['choices', field.relationConfig, text, limits],
    queryFn: () => choicesOf(field.relationConfig, text, limits, workspace),
  });
  const { data, isPending, isPlaceholderData } = useQuery({ ...asking(wanted), placeholderData: keepPreviousData });
  const isSearching = wanted !== typed.trim() || isPending || isPlaceholderData;
  const find = async (text: string) => (await queries.fetchQuery(asking(text.trim()))).found[0];
  const isMany = field.type === 'MANY_TO_MANY';
  const isMorph = field.type === 'MORPH_RELATION';
  const keep = (chosen: readonly Choice[]) => {
    if (isMany) return ending.keep(chosen.map(recordIn));
    const [first] = chosen;
    if (!first) return ending.keep(null);
    const [object, id] = first.id.split(':');
    ending.keep(isMorph ? { object, id } : id);
  };
  const before = refsOf(field, record).map((target) => choiceOf(target, values.notSeen));
  const stopWhereSame = (chosen: readonly Choice[]) => {
    if (before.map(({ id }) => id).join() === chosen.map(({ id }) => id).join()) ending.stop();
    else keep(chosen);
  };
  return (
    <Choices
      label={field.label}
      isMany={isMany}
      chosen={before}
      found={data?.found ?? []}
      more={data?.more ?? 0}
      isSearching={isSearching}
      find={isSearching ? find : undefined}
      typed={typed}
      setTyped={setTyped}
      keep={stopWhereSame}
      stop={ending.stop}
      error={error}
      autoFocus={autoFocus}
    />
  );
}

/** A choice for a linked record; one that is hidden from the reader stays, without a name. */
function choiceOf({ id, object = '', display }: Ref, unseen: string): Choice {
  return { id: `${object}:${id}`, label: display ?? unseen };
}
