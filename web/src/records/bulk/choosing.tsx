import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { kith } from '../../api/kith.ts';
import { keys } from '../../api/queries.ts';
import type { Field, KithRecord, Permission } from '../../api/workspace.ts';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { ValueEditor } from '../../values/editors/value-editor.tsx';
import { linkedIds } from '../../values/links.ts';
import { filterField } from '../filter/use-filter-labels.ts';
import { ValuePicker } from '../filter/value-field.tsx';
import { Picker } from '../../ui/picker.tsx';
import { useWorkspace } from '../../app/workspace-context.tsx';
import type { List } from '../use-list.ts';
import styles from './bulk.module.css';
import type { Bulk } from './use-bulk.ts';

export type Doing = 'field' | 'list' | 'person' | 'step';

interface ChoosingProps {
  readonly list: List;
  readonly doing: Doing;
  readonly permission: Permission | undefined;
  readonly bulk: Bulk;
  readonly close: () => void;
}

/** Asks for the new value of the selected records: a user, a step, a list, or any field. */
export function Choosing({ list, doing, permission, bulk, close }: ChoosingProps) {
  const { records } = useTexts();
  const [chosen, setChosen] = useState<Field>();
  const writable = list.object.fields.filter(
    ({ name, isReadonly, type }) =>
      !isReadonly && (permission?.fields[name] === 'write' || type === 'PIPELINE') && type !== 'RICH_TEXT',
  );
  const wanted = { person: 'USERS', step: 'PIPELINE', field: undefined, list: undefined }[doing];
  const field = chosen ?? (wanted && writable.find(({ type }) => type === wanted));
  if (doing === 'list') return <ListPicker list={list} bulk={bulk} close={close} />;
  if (field) return <ValueChoice field={field} list={list} bulk={bulk} close={close} />;
  return (
    <Picker
      label={records.chooseField}
      items={writable.map(({ name, label }) => ({ id: name, label }))}
      pick={(name) => setChosen(writable.find((one) => one.name === name))}
    />
  );
}

interface ValueChoiceProps {
  readonly field: Field;
  readonly list: List;
  readonly bulk: Bulk;
  readonly close: () => void;
}

/** An empty record, since the editor has no previous value. */
const blank: KithRecord = { id: '' };

function ValueChoice({ field, list, bulk, close }: ValueChoiceProps) {
  const { records } = useTexts();
  const workspace = useWorkspace();
  const name = field.type === 'PIPELINE' ? 'pipeline_step_id' : field.name;
  const container = useRef<HTMLDivElement>(null);
  const [round, setRound] = useState(0);
  // An editor closes on blur; a blank one replaces it, for when the reader comes back.
  const leave = () =>
    void setTimeout(() => {
      if (document.activeElement?.parentElement === container.current) setRound((was) => was + 1);
      else close();
    });
  const set = (value: unknown) => {
    close();
    void bulk.set(field.label, { action: 'update_field', field_name: name, field_value: value });
  };
  const commit = (value: unknown) => {
    // Leaving an editor empty does not clear the field: there is a button for that.
    if (isEmpty(value)) return leave();
    if (field.type !== 'MANY_TO_MANY') return set(value);
    close();
    void bulk.set(field.label, { action: 'add_relation', relation_field: name, target_ids: linkedIds(value) });
  };
  const shown = filterField(workspace, list.object, name);
  if (['user', 'step', 'option'].includes(shown.kind) && field.type !== 'MULTI_SELECT')
    return <ValuePicker field={shown} chosen={[]} pick={set} />;
  return (
    <div ref={container} className={styles.editor}>
      <ValueEditor
        key={round}
        field={field}
        record={blank}
        value={undefined}
        commit={commit}
        cancel={leave}
        autoFocus={round === 0}
      />
      {!field.isRequired && (
        // Beside the editor, whose list opens above or below it.
        <Button kind="bare" onClick={() => set(field.type === 'MANY_TO_MANY' ? [] : null)}>
          {records.emptyIt}
        </Button>
      )}
      {field.type === 'MANY_TO_MANY' && <p className="hint">{records.linksAreAdded}</p>}
    </div>
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function ListPicker({ list, bulk, close }: Omit<ValueChoiceProps, 'field'>) {
  const { records } = useTexts();
  const { data } = useQuery({ queryKey: [...keys.lists, 'choose'], queryFn: () => kith.lists.list({ limit: 100 }) });
  const lists = (data?.data ?? []).filter(({ object_types: types }) => types.includes(list.object.name));
  return (
    <Picker
      label={records.chooseList}
      items={lists.map(({ id, name }) => ({ id, label: name }))}
      pick={(id) => {
        close();
        const found = lists.find((one) => one.id === id);
        if (found) void bulk.addToList(found);
      }}
    />
  );
}
