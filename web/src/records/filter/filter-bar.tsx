/** The filter as chips; `F` adds a condition by keyboard, a click on a chip opens the builder. */
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import type { FilterCondition, FilterGroup } from '../../../../client/index.js';
import type { ObjectShape } from '../../api/workspace.ts';
import { keyText, useKeys } from '../../app/keys.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Picker } from '../../ui/picker.tsx';
import { Pop } from '../../ui/pop.tsx';
import { usePop } from '../use-pop.ts';
import { Builder } from './builder.tsx';
import styles from './filter.module.css';
import { operatorsOf } from './operators.ts';
import { added, countOf, emptyFilter, isGroup, replaced, type Node } from './tree.ts';
import { useFitting } from './use-fitting.ts';
import { filterFields, useFilterLabels, type FilterField } from './use-filter-labels.ts';
import { isChosen, ValuePicker } from './value-field.tsx';
import { nodeWords, operatorWords, valueWords, type FilterLabels } from './words.ts';

interface FilterBarProps {
  readonly object: ObjectShape;
  readonly filter: FilterGroup | undefined;
  readonly search: string;
  readonly put: (filter: FilterGroup | undefined) => void;
}

/** The chips, and the button that adds one. */
export function FilterBar({ object, filter = emptyFilter, search, put }: FilterBarProps) {
  const { filters, records } = useTexts();
  const filterLabels = useFilterLabels(object, filter);
  const { at, isOpen, open, close } = usePop();
  const [shown, setShown] = useState<'field' | 'builder'>('field');
  const putOrClear = (next: FilterGroup) => put(next.conditions.length > 0 ? next : undefined);
  const show = (what: 'field' | 'builder') => {
    setShown(what);
    open();
  };
  useKeys([{ keys: 'f', label: records.filter, run: () => show('field') }]);
  return (
    <>
      {filter.conditions.length > 0 && (
        <Chips
          filter={filter}
          filterLabels={filterLabels}
          open={() => show('builder')}
          put={(next, isLast) => {
            putOrClear(next);
            if (isLast) at.current?.focus();
          }}
        />
      )}
      <Button
        ref={at}
        kind="bare"
        icon={<ListFilter size={14} />}
        hint={keyText('f')}
        aria-haspopup="dialog"
        onClick={() => show(filter.conditions.length > 0 ? 'builder' : 'field')}
      >
        {records.filter}
      </Button>
      {isOpen && (
        <Pop at={at} label={filters.title(object.label)} close={close} isWide={shown === 'builder'}>
          {shown === 'builder' ? (
            <Builder object={object} filter={filter} search={search} put={putOrClear} />
          ) : (
            <Add
              object={object}
              take={(condition, isWhole) => {
                putOrClear(
                  filter.type === 'OR' && filter.conditions.length > 1
                    ? { type: 'AND', conditions: [filter, condition] }
                    : added({ ...filter, type: 'AND' }, [], condition),
                );
                if (isWhole) close();
                else setShown('builder');
              }}
            />
          )}
        </Pop>
      )}
    </>
  );
}

interface ChipsProps {
  readonly filter: FilterGroup;
  readonly filterLabels: FilterLabels;
  readonly open: () => void;
  /** `isLast` when the last chip was removed, so that the focus has no other chip to go to. */
  readonly put: (filter: FilterGroup, isLast: boolean) => void;
}

/** The chips that fit, and the number of the others. */
function Chips({ filter, filterLabels, open, put }: ChipsProps) {
  const { filters } = useTexts();
  // A top-level "any of" is one chip.
  const chips: readonly Node[] = filter.type === 'OR' && filter.conditions.length > 1 ? [filter] : filter.conditions;
  const words = chips.map((node) => nodeWords(node, filterLabels));
  const { box, isKnown, fit } = useFitting(chips.length, words.join('\n'));
  const hidden = chips.length - fit;
  return (
    <>
      <div ref={box} className={isKnown ? styles.chips : `${styles.chips} ${styles.whole}`}>
        {chips.slice(0, fit).map((node, index) => (
          <FilterChip
            key={index}
            node={node}
            words={words[index] ?? ''}
            filterLabels={filterLabels}
            open={open}
            remove={() =>
              put(node === filter ? emptyFilter : replaced(filter, [index], undefined), index === chips.length - 1)
            }
          />
        ))}
      </div>
      {hidden > 0 && (
        <Button kind="bare" aria-label={filters.more(hidden)} title={filters.more(hidden)} onClick={open}>
          {`+${hidden}`}
        </Button>
      )}
    </>
  );
}

interface ChipProps {
  readonly node: Node;
  readonly words: string;
  readonly filterLabels: FilterLabels;
  readonly open: () => void;
  readonly remove: () => void;
}

function FilterChip({ node, words, filterLabels, open, remove }: ChipProps) {
  const { filters } = useTexts();
  const parts = isGroup(node)
    ? [node.type === 'OR' ? filters.anyOf(countOf(node)) : filters.allOfN(countOf(node)), words]
    : conditionParts(node, filterLabels);
  return (
    <span className={styles.chip}>
      <button type="button" onClick={open} title={words.slice(0, 400)}>
        {parts.filter(Boolean).map((part, at) => (
          <bdi key={at} className={`clip ${at === 1 ? styles.how : ''}`}>
            {part}
          </bdi>
        ))}
      </button>
      <button type="button" aria-label={`${filters.removeCondition}: ${parts[0]}`} onClick={remove}>
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  );
}

function conditionParts(condition: FilterCondition, filterLabels: FilterLabels): readonly string[] {
  const { label, kind } = filterLabels.field(condition.field);
  return [label, operatorWords(condition.operator, kind, filterLabels.texts), valueWords(condition, filterLabels)];
}

interface AddProps {
  readonly object: ObjectShape;
  readonly take: (condition: FilterCondition, isWhole: boolean) => void;
}

/** Adds a condition: first the field, then its value if it is one to choose; values to type are typed in the builder. */
function Add({ object, take }: AddProps) {
  const { filters } = useTexts();
  const workspace = useWorkspace();
  const [field, setField] = useState<FilterField>();
  const fields = filterFields(workspace, object);
  if (field)
    return (
      <ValuePicker
        field={field}
        chosen={[]}
        pick={(value) =>
          take(
            field.kind === 'yes'
              ? { field: field.path, operator: value === true ? 'is_true' : 'is_false' }
              : { field: field.path, operator: 'in', value: [value] },
            true,
          )
        }
      />
    );
  return (
    <Picker
      label={filters.whichField}
      items={fields.map(({ path, label }) => ({ id: path, label }))}
      pick={(path) => {
        const chosen = fields.find((one) => one.path === path);
        if (!chosen) return;
        if (isChosen(chosen)) setField(chosen);
        else take({ field: path, operator: operatorsOf(chosen.kind)[0] ?? 'equals' }, false);
      }}
    />
  );
}
