/** Adds a related record: an existing one by its name, or a new one. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Picker, type PickItem } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';
import { choicesOf, recordIn } from '../values/editors/record-choices.ts';
import type { Way } from './related.ts';

interface AddRelatedProps {
  readonly at: RefObject<HTMLElement | null>;
  readonly way: Way;
  /** The ids of records that are already linked. */
  readonly but: readonly string[];
  /** Undefined if the role does not allow it. */
  readonly link: ((id: string, name: string) => void) | undefined;
  readonly make: (() => void) | undefined;
  readonly close: () => void;
}

const newId = 'new';

/** Opens under its button: type to search, Enter to add. */
export function AddRelated({ at, way: { from }, but, link, make, close }: AddRelatedProps) {
  const { record: texts, records } = useTexts();
  const label = texts.addTo(from.labelSingular);
  const [text, setText] = useState('');
  const found = useFound(from.name, text.trim(), link !== undefined);
  const items: PickItem[] = found.filter(({ id }) => !but.includes(id));
  const newOne = {
    id: newId,
    label: records.newOne(from.labelSingular),
    icon: <Plus size={14} aria-hidden="true" />,
  };
  const pick = (id: string) => {
    close();
    const chosen = items.find((item) => item.id === id);
    if (chosen) link?.(id, chosen.label);
    else make?.();
  };
  return (
    <Pop at={at} label={label} close={close}>
      <Picker label={label} items={make ? [...items, newOne] : items} pick={pick} ask={setText} />
    </Pop>
  );
}

function useFound(object: string, wanted: string, isAsked: boolean): readonly PickItem[] {
  const workspace = useWorkspace();
  const { data } = useQuery({
    queryKey: ['choices', { targetObjectName: object }, wanted, []],
    queryFn: () => choicesOf({ relationType: 'BELONGS_TO_ONE', targetObjectName: object }, wanted, [], workspace),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return (data?.found ?? []).map((choice) => ({ id: recordIn(choice), label: choice.label }));
}
