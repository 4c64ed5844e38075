import { ArrowDown, ArrowUp, Sigma } from 'lucide-react';
import { useTexts } from '../i18n/language.tsx';
import { useWorkspace } from '../app/workspace-context.tsx';
import { Button } from '../ui/button.tsx';
import { choiceOf, listable } from './columns.ts';
import styles from './list-page.module.css';
import type { ColumnChoice } from './list-state.ts';
import { Picker } from '../ui/picker.tsx';
import { isNumeric } from '../values/text-of.ts';
import type { List } from './use-list.ts';

/** Chooses columns and their order: type and Enter, or the arrows beside each. */
export function ColumnMenu({ list }: { list: List }) {
  const { records } = useTexts();
  const workspace = useWorkspace();
  const { columns, object } = list;
  const shown = columns.map(({ path }) => path);
  const put = (next: readonly ColumnChoice[]) => {
    if (next.length > 0) list.change({ columns: next });
  };
  const choices = choiceOf(columns);
  const move = (at: number, to: number) =>
    put(choices.toSpliced(at, 1).toSpliced(to, 0, choices[at] ?? { field: 'id' }));
  const behind = listable(object).flatMap(({ name, label, type, relationConfig }) => {
    const target = type === 'RELATION' && relationConfig && workspace.objects.get(relationConfig.targetObjectName);
    return target
      ? target.fields
          .filter((one) => !one.relationConfig && one.type !== 'PIPELINE')
          .map((one) => ({ id: `${name}.${one.name}`, label: `${label} › ${one.label}` }))
      : [];
  });
  const items = [...listable(object).map(({ name, label }) => ({ id: name, label })), ...behind];
  return (
    <>
      <Picker
        label={records.columns}
        items={items.map((item) => ({ ...item, isChosen: shown.includes(item.id) }))}
        pick={(path) =>
          put(shown.includes(path) ? choices.filter(({ field }) => field !== path) : [...choices, { field: path }])
        }
      />
      <div className={styles.menu}>
        {columns.map(({ path, label, field }, at) => (
          <div key={path} className={styles.line}>
            <bdi className="clip">{label}</bdi>
            {!path.includes('.') && isNumeric(field) && <SumUp list={list} name={path} label={label} />}
            <Button
              kind="bare"
              disabled={at === 0}
              aria-label={records.moveStart(label)}
              icon={<ArrowUp size={14} />}
              onClick={() => move(at, at - 1)}
            />
            <Button
              kind="bare"
              disabled={at === columns.length - 1}
              aria-label={records.moveEnd(label)}
              icon={<ArrowDown size={14} />}
              onClick={() => move(at, at + 1)}
            />
          </div>
        ))}
      </div>
    </>
  );
}

/** Selects or deselects the field whose sum is at the foot. */
function SumUp({ list: { state, change }, name, label }: { list: List; name: string; label: string }) {
  const { records } = useTexts();
  const isChosen = state.totals === name;
  return (
    <Button
      kind="bare"
      aria-pressed={isChosen}
      aria-label={records.sumUp(label)}
      icon={<Sigma size={14} />}
      onClick={() => change({ totals: isChosen ? undefined : name })}
    />
  );
}
