/** A record that is there: fields, what happened, and what belongs to it. */
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useKeys } from '../app/keys.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { lockOf } from '../values/editable.ts';
import { FieldsPane } from './fields-pane.tsx';
import { Middle, type Tab } from './middle.tsx';
import type { Neighbours } from './neighbours.ts';
import { RecordBar } from './record-bar.tsx';
import { RecordHead } from './record-head.tsx';
import styles from './record-page.module.css';
import type { Loaded } from './record-query.ts';
import { RelationsPane } from './relations-pane.tsx';
import { StepBar } from './step-bar.tsx';
import { useActions, type Actions } from './use-actions.ts';

const AddToList = lazy(async () => ({ default: (await import('./add-to-list.tsx')).AddToList }));
const HistoryDialog = lazy(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }));

interface RecordViewProps {
  readonly shape: ObjectShape;
  readonly loaded: Loaded;
  /** The moment of which it is shown; undefined is now. */
  readonly asOf: string | undefined;
  readonly from: string | undefined;
  readonly neighbours: Neighbours | undefined;
}

/** The three panes; on smaller screens the outer ones are tabs of the middle. */
export function RecordView({ shape, loaded, asOf, from, neighbours }: RecordViewProps) {
  const { reader } = useWorkspace();
  const { record: texts } = useTexts();
  const navigate = useNavigate();
  const [editing, edit] = useState<string>();
  const [tab, choose] = useState<Tab>('timeline');
  const [over, setOver] = useState<'history' | 'list'>();
  const { record } = loaded;
  const name = nameOf(record, reader.displayFields[shape.name]);
  const actions = useActions({
    object: shape.name,
    id: record.id,
    name,
    from,
    neighbours,
    showHistory: () => setOver('history'),
    addToList: () => setOver('list'),
  });
  useTitle(name.slice(0, 120));
  useRecordKeys({ shape, actions, neighbours, edit, isPast: asOf !== undefined });
  const goTo = (moment: string | undefined) => {
    setOver(undefined);
    void navigate({
      to: '/r/$object/$id',
      params: { object: shape.name, id: record.id },
      search: { ...(from !== undefined && { from }), ...(moment !== undefined && { as_of: moment }) },
    });
  };
  const isPast = asOf !== undefined;
  const pipeline = shape.fields.find(({ type }) => type === 'PIPELINE');
  const head = <RecordHead shape={shape} record={record} name={name} actions={actions} />;
  const fields = (
    <FieldsPane shape={shape} record={record} isPast={isPast} editing={editing} edit={edit}>
      {pipeline && <StepBar object={shape.name} field={pipeline} record={record} isPast={isPast} />}
    </FieldsPane>
  );
  const related = <RelationsPane shape={shape} loaded={loaded} />;
  return (
    <>
      <RecordBar shape={shape} name={name} neighbours={neighbours} actions={actions} />
      {isPast && <PastBar moment={asOf} back={() => goTo(undefined)} />}
      <div className={styles.record}>
        <div className={styles.onlyPhoneHead}>{head}</div>
        <section className={styles.fields} aria-label={texts.fields} tabIndex={0}>
          {head}
          {fields}
        </section>
        <Middle shape={shape} record={record} tab={tab} choose={choose} details={fields} related={related} />
        <section className={styles.relations} aria-label={texts.related} tabIndex={0}>
          {related}
        </section>
      </div>
      <Suspense>
        {over === 'history' && (
          <HistoryDialog shape={shape} record={record} close={() => setOver(undefined)} goTo={goTo} />
        )}
        {over === 'list' && <AddToList object={shape.name} id={record.id} close={() => setOver(undefined)} />}
      </Suspense>
    </>
  );
}

function PastBar({ moment, back }: { moment: string; back: () => void }) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  return (
    <div className={styles.past} role="status">
      <span>{texts.asOf(formats.moment(moment))}</span>
      <Button onClick={back}>{texts.backToNow}</Button>
    </div>
  );
}

interface RecordKeysProps {
  readonly shape: ObjectShape;
  readonly actions: Actions;
  readonly neighbours: Neighbours | undefined;
  readonly edit: (field: string) => void;
  readonly isPast: boolean;
}

function useRecordKeys({ shape, actions, neighbours, edit, isPast }: RecordKeysProps): void {
  const { record: texts, records } = useTexts();
  const { permissions } = useWorkspace();
  const may = permissions[shape.name];
  const editable = (type: string) =>
    shape.fields.find((field) => field.type === type && !isPast && lockOf(field, may) === undefined);
  const [pipeline, owner, emails] = [editable('PIPELINE'), editable('USERS'), editable('EMAILS')];
  useKeys([
    { keys: 'h', label: texts.history, run: actions.showHistory },
    { keys: 'alt+ArrowDown', label: texts.nextRecord, whileTyping: true, run: () => actions.go(neighbours?.next) },
    {
      keys: 'alt+ArrowUp',
      label: texts.previousRecord,
      whileTyping: true,
      run: () => actions.go(neighbours?.previous),
    },
    { keys: 'l', label: records.addToList, run: actions.addToList },
    { keys: 'Escape', label: texts.back, run: actions.back },
    ...(emails ? [{ keys: 'e', label: texts.editField(emails.label), run: () => edit(emails.name) }] : []),
    ...(pipeline ? [{ keys: 'm', label: texts.editField(pipeline.label), run: () => edit(pipeline.name) }] : []),
    ...(owner ? [{ keys: 'a', label: texts.editField(owner.label), run: () => edit(owner.name) }] : []),
    ...(actions.merge ? [{ keys: 'shift+m', label: texts.merge, run: actions.merge }] : []),
    ...(actions.remove ? [{ keys: 'Delete', label: texts.moveToTrash, run: actions.remove }] : []),
  ]);
}
