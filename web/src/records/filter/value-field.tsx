/** The input for a condition's value, by the kind of its field. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FilterCondition } from '../../../../client/index.js';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { colorAt, Dot } from '../../ui/chip.tsx';
import { Picker, type PickItem } from '../../ui/picker.tsx';
import { Pop } from '../../ui/pop.tsx';
import { choicesOf, recordIn } from '../../values/editors/record-choices.ts';
import { usePop } from '../use-pop.ts';
import styles from './filter.module.css';
import { valuesOf } from './operators.ts';
import { valueList } from './tree.ts';
import type { FilterField } from './use-filter-labels.ts';
import { valueWords, type FilterLabels } from './words.ts';

interface ValueFieldProps {
  readonly condition: FilterCondition;
  readonly field: FilterField;
  readonly filterLabels: FilterLabels;
  readonly put: (condition: FilterCondition) => void;
}

/** As many inputs as the operator takes values. */
export function ValueField(props: ValueFieldProps) {
  const { condition, field } = props;
  const needed = valuesOf(condition.operator);
  if (needed === 'none') return <span />;
  const isText = ['contains', 'starts_with', 'ends_with', 'ilike'].includes(condition.operator);
  if (isChosen(field) && !isText) return <ChosenField {...props} isMany={needed === 'many'} />;
  if (needed === 'two') return <TwoFields {...props} />;
  return <TypedField {...props} isMany={needed === 'many'} />;
}

/** Whether its values are chosen rather than typed. */
export function isChosen({ kind }: FilterField): boolean {
  return ['option', 'user', 'step', 'pipeline', 'record', 'yes'].includes(kind);
}

function TypedField({ condition, field, put, isMany }: ValueFieldProps & { isMany: boolean }) {
  const { filters } = useTexts();
  const shown = isMany ? valueList(condition).map(quoted).join(', ') : String(condition.value ?? '');
  const [text, setText] = useState(shown);
  return (
    <input
      className={styles.value}
      aria-label={filters.value}
      {...inputType(field, isMany)}
      placeholder={isMany ? filters.several : undefined}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const value = isMany ? valueList({ ...condition, value: target.value }) : typed(field, target.value);
        put({ ...condition, value });
      }}
    />
  );
}

function TwoFields({ condition, field, put }: ValueFieldProps) {
  const { filters } = useTexts();
  const [from, to] = valueList(condition);
  const one = (label: string, value: unknown, set: (value: unknown) => unknown[]) => (
    <input
      className={styles.value}
      aria-label={label}
      {...inputType(field, false)}
      defaultValue={String(value ?? '')}
      onChange={({ target }) => put({ ...condition, value: set(typed(field, target.value)) })}
    />
  );
  return (
    <span className={styles.two}>
      {one(filters.from, from, (value) => [value, to ?? ''])}
      <span className="faint">{filters.and}</span>
      {one(filters.to, to, (value) => [from ?? '', value])}
    </span>
  );
}

function inputType({ kind }: FilterField, isMany: boolean) {
  if (isMany) return { type: 'text' };
  if (kind === 'date') return { type: 'date' };
  return kind === 'number' ? { type: 'text', inputMode: 'decimal' as const } : { type: 'text' };
}

/** A number is sent as such only if it keeps all digits. */
function typed({ kind }: FilterField, text: string): unknown {
  if (kind !== 'number' || text.trim() === '') return text;
  const number = Number(text);
  return String(number) === text.trim() ? number : text;
}

function quoted(value: unknown): string {
  const text = String(value);
  return text.includes(',') ? `"${text.replaceAll('"', '""')}"` : text;
}

function ChosenField({ condition, field, filterLabels, put, isMany }: ValueFieldProps & { isMany: boolean }) {
  const { filters } = useTexts();
  const { at, isOpen, open, close } = usePop();
  const chosen = isMany ? valueList(condition) : condition.value === undefined ? [] : [condition.value];
  const words = valueWords(condition, filterLabels);
  const pick = (value: unknown) => {
    if (!isMany) {
      put({ ...condition, value });
      return close();
    }
    const has = chosen.includes(value);
    put({ ...condition, value: has ? chosen.filter((one) => one !== value) : [...chosen, value] });
  };
  return (
    <>
      <button
        ref={at}
        type="button"
        className={styles.value}
        aria-label={`${filters.value}: ${words}`}
        aria-haspopup="listbox"
        onClick={open}
      >
        <bdi className="clip">{chosen.length === 0 ? filters.choose : words}</bdi>
      </button>
      {isOpen && (
        <Pop at={at} label={filters.value} close={close}>
          <ValuePicker field={field} chosen={chosen} pick={pick} />
        </Pop>
      )}
    </>
  );
}

interface ValuePickerProps {
  readonly field: FilterField;
  readonly chosen: readonly unknown[];
  readonly pick: (value: unknown) => void;
}

/** A picker of the field's possible values. */
export function ValuePicker({ field, chosen, pick }: ValuePickerProps) {
  const { filters } = useTexts();
  const label = filters.whichValue(field.label);
  const items = useItems(field, chosen);
  if (field.kind === 'record') return <RecordPicker field={field} chosen={chosen} pick={pick} label={label} />;
  return <Picker label={label} items={items} pick={(id) => pick(field.kind === 'yes' ? id === 'true' : id)} />;
}

function useItems({ kind, field }: FilterField, chosen: readonly unknown[]): readonly PickItem[] {
  const { users, userId, pipelines, objects } = useWorkspace();
  const { filters } = useTexts();
  const ids = new Set(chosen.map(String));
  const marked = (item: PickItem): PickItem => ({ ...item, isChosen: ids.has(item.id) });
  if (kind === 'option')
    return (field?.options ?? []).map(({ value, label, color }, at) =>
      marked({ id: value, label, icon: <Dot color={colorAt(at, color)} /> }),
    );
  if (kind === 'user') {
    const me = users.get(userId);
    const others = [...users.values()].filter(({ id }) => id !== userId);
    return [
      ...(me ? [marked({ id: me.id, label: filters.me, detail: me.name, icon: <Avatar name={me.name} /> })] : []),
      ...others.map(({ id, name }) => marked({ id, label: name, icon: <Avatar name={name} /> })),
    ];
  }
  if (kind === 'yes') return [filters.yes, filters.no].map((label, at) => marked({ id: String(at === 0), label }));
  const own = pipelines.filter(
    ({ objectName }) => field !== undefined && objects.get(objectName)?.fields.includes(field),
  );
  if (kind === 'pipeline') return own.map(({ id, name }) => marked({ id, label: name }));
  if (kind !== 'step') return [];
  return own.flatMap(({ steps, name }) =>
    steps.map((step, at) =>
      marked({
        id: step.id,
        label: step.name,
        icon: <Dot color={colorAt(at)} isRing={step.kind !== 'ongoing'} />,
        detail: own.length > 1 ? name : undefined,
      }),
    ),
  );
}

function RecordPicker({ field: { field }, chosen, pick, label }: ValuePickerProps & { label: string }) {
  const workspace = useWorkspace();
  const [text, setText] = useState('');
  const wanted = text.trim();
  const { data } = useQuery({
    queryKey: ['choices', field?.relationConfig, wanted, []],
    queryFn: () => choicesOf(field?.relationConfig, wanted, [], workspace),
    placeholderData: keepPreviousData,
  });
  const items = (data?.found ?? []).map((found) => {
    const id = recordIn(found);
    return { id, label: found.label, detail: found.detail, isChosen: chosen.includes(id) };
  });
  return <Picker label={label} items={items} pick={pick} ask={setText} />;
}
