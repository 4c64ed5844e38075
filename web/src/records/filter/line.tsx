import { X } from 'lucide-react';
import type { FilterCondition } from '../../../../client/index.js';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Picker } from '../../ui/picker.tsx';
import { Pop } from '../../ui/pop.tsx';
import { usePop } from '../use-pop.ts';
import type { Editing } from './editing.ts';
import styles from './filter.module.css';
import { operatorsOf, type Operator } from './operators.ts';
import { replaced, withOperator, type Path } from './tree.ts';
import type { FilterField } from './use-filter-labels.ts';
import { ValueField } from './value-field.tsx';
import { operatorWords } from './words.ts';

interface LineProps {
  readonly condition: FilterCondition;
  readonly editing: Editing;
  readonly path: Path;
}

/** One condition: field, operator and value. */
export function Line({ condition, editing, path }: LineProps) {
  const { filters } = useTexts();
  const { filter, fields, filterLabels, put } = editing;
  const known = fields.find((one) => one.path === condition.field);
  const field: FilterField = known ?? {
    path: condition.field,
    ...filterLabels.field(condition.field),
    field: undefined,
  };
  const change = (next: FilterCondition | undefined) => put(replaced(filter, path, next));
  const offered = operatorsOf(field.kind);
  const operators = offered.includes(condition.operator) ? offered : [condition.operator, ...offered];
  return (
    <div className={styles.condition}>
      <FieldButton
        field={field}
        fields={fields}
        pick={(chosen) => change({ field: chosen.path, operator: operatorsOf(chosen.kind)[0] ?? 'equals' })}
      />
      <select
        aria-label={filters.how}
        value={condition.operator}
        onChange={({ target }) => change(withOperator(condition, target.value as Operator))}
      >
        {operators.map((operator) => (
          <option key={operator} value={operator}>
            {operatorWords(operator, field.kind, filters)}
          </option>
        ))}
      </select>
      <ValueField
        key={`${condition.field} ${condition.operator}`}
        condition={condition}
        field={field}
        filterLabels={filterLabels}
        put={change}
      />
      <Button
        kind="bare"
        aria-label={filters.removeCondition}
        icon={<X size={14} />}
        onClick={() => change(undefined)}
      />
    </div>
  );
}

interface FieldButtonProps {
  readonly field: FilterField;
  readonly fields: readonly FilterField[];
  readonly pick: (field: FilterField) => void;
}

function FieldButton({ field, fields, pick }: FieldButtonProps) {
  const { filters } = useTexts();
  const { at, isOpen, open, close } = usePop();
  return (
    <>
      <button
        ref={at}
        type="button"
        className={styles.field}
        aria-label={`${filters.field}: ${field.label}`}
        aria-haspopup="listbox"
        onClick={open}
      >
        <bdi className="clip">{field.label}</bdi>
      </button>
      {isOpen && (
        <Pop at={at} label={filters.whichField} close={close}>
          <Picker
            label={filters.whichField}
            items={fields.map(({ path, label }) => ({ id: path, label, isChosen: path === field.path }))}
            pick={(path) => {
              close();
              const chosen = fields.find((one) => one.path === path);
              if (chosen) pick(chosen);
            }}
          />
        </Pop>
      )}
    </>
  );
}
