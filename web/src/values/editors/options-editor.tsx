/** Chooses options by typing; of 2,000, the first matches are rendered. */
import { useMemo, useState } from 'react';
import { optionLabel } from '../options.ts';
import { Option } from '../parts.tsx';
import { choicesIn } from '../shapes.ts';
import { Choices, type Choice } from './choices.tsx';
import { useEnding, type EditorProps } from './editing.tsx';

const mostShown = 50;

/** One option, or several. */
export function OptionsEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false, begun } = props;
  const ending = useEnding(props);
  const [typed, setTyped] = useState(begun ?? '');
  const wanted = typed.trim().toLocaleLowerCase();
  const isMany = field.type === 'MULTI_SELECT';
  const fitting = useMemo(() => {
    const all = (field.options ?? []).filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
    const begins = ({ label }: { label: string }) => Number(label.toLocaleLowerCase().startsWith(wanted));
    return wanted === '' ? all : all.toSorted((a, b) => begins(b) - begins(a));
  }, [field, wanted]);
  const choiceOf = (option: string): Choice => ({
    id: option,
    label: optionLabel(field, option),
    shown: <Option field={field} value={option} />,
  });
  return (
    <Choices
      label={field.label}
      isMany={isMany}
      chosen={choicesIn(value).map(choiceOf)}
      found={fitting.slice(0, mostShown).map((option) => choiceOf(option.value))}
      more={fitting.length - mostShown}
      typed={typed}
      setTyped={setTyped}
      keep={(chosen) => ending.keep(isMany ? chosen.map(({ id }) => id) : (chosen[0]?.id ?? null))}
      stop={ending.stop}
      error={error}
      autoFocus={autoFocus}
    />
  );
}
