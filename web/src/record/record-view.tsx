/** A loaded record: fields, timeline and related records. */
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useKeys } from '../app/keys.ts';
import { useIsPhone } from '../app/use-is-phone.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { lockOf } from '../values/editable.ts';
import { entriesIn, textIn } from '../values/shapes.ts';
import { FieldsPane } from './fields-pane.tsx';
import { Middle, type Tab } from './middle.tsx';
import type { Neighbours } from './neighbours.ts';
import { RecordBar } from './record-bar.tsx';
import { RecordHead } from './record-head.tsx';
import { AddToList } from './lists-of.tsx';
import styles from './record-page.module.css';
import type { Loaded } from './record-query.ts';
import { RelationsPane } from './relations-pane.tsx';
import { StepBar } from './step-bar.tsx';
import { useActions, type Actions } from './use-actions.ts';

/** What is open above the page or in its middle. */
type Opened = 'history' | 'lists' | 'mail';

const NewMail = lazyPart(
  () => import('../inbox/new-mail.tsx'),
  (file) => file.NewMail,
);
const HistoryDialog = lazyPart(
  () => import('./history-dialog.tsx'),
  (file) => file.HistoryDialog,
);

interface RecordViewProps {
  readonly shape: ObjectShape;
  readonly loaded: Loaded;
  /** The time as of which it is shown; undefined for the present. */
  readonly asOf: string | undefined;
  readonly from: string | undefined;
  readonly neighbours: Neighbours | undefined;
}

/** Three panes; on smaller screens the outer ones are tabs of the middle. */
export function RecordView({ shape, loaded, asOf, from, neighbours }: RecordViewProps) {
  const { reader } = useWorkspace();
  const [editing, edit] = useState<string>();
  const [tab, choose] = useState<Tab>('timeline');
  const [opened, open] = useState<Opened>();
  const { record } = loaded;
  const isPast = asOf !== undefined;
  const name = nameOf(record, reader.displayFields[shape.name]);
  const to = isPast ? undefined : addressIn(shape, record);
  const actions = useActions({
    object: shape.name,
    id: record.id,
    name,
    from,
    neighbours,
    showHistory: () => open('history'),
    addToList: () => open('lists'),
    email: to === undefined ? undefined : () => open('mail'),
  });
  useTitle(name.slice(0, 120));
  useRecordKeys({ shape, actions, neighbours, edit, isPast });
  const close = () => open(undefined);
  const goTo = useMoments(shape.name, record.id, from, close);
  const fields = <Fields shape={shape} record={record} isPast={isPast} editing={editing} edit={edit} />;
  // Name and fields are rendered first, related records and timeline after them.
  const isWhole = useDeferredValue(true, false);
  const related = isWhole && <RelationsPane shape={shape} loaded={loaded} isPast={isPast} />;
  return (
    <>
      <RecordBar shape={shape} name={name} neighbours={neighbours} actions={actions} />
      {isPast && <PastBar moment={asOf} back={() => goTo(undefined)} />}
      <Panes
        head={<RecordHead shape={shape} record={record} name={name} actions={actions} />}
        fields={fields}
        related={related}
      >
        <Middle
          shape={shape}
          isWhole={isWhole}
          record={record}
          tab={tab}
          choose={choose}
          details={fields}
          related={related}
          mail={opened === 'mail' && to !== undefined && <NewMail record={record.id} to={to} close={close} />}
        />
      </Panes>
      <Over opened={opened} shape={shape} record={record} name={name} close={close} goTo={goTo} />
    </>
  );
}

interface OverProps {
  readonly opened: Opened | undefined;
  readonly shape: ObjectShape;
  readonly record: KithRecord;
  readonly name: string;
  readonly close: () => void;
  readonly goTo: (moment: string) => void;
}

/** What is open above the page; a mail is written in the middle. */
function Over({ opened, shape, record, name, close, goTo }: OverProps) {
  return (
    <>
      {opened === 'history' && <HistoryDialog shape={shape} record={record} close={close} goTo={goTo} />}
      {opened === 'lists' && (
        <AddToList
          at={{ current: document.querySelector('[data-record-menu]') }}
          object={shape.name}
          id={record.id}
          name={name.slice(0, 80)}
          close={close}
        />
      )}
    </>
  );
}

/** Goes to the record as of a time, or to the present. */
function useMoments(object: string, id: string, from: string | undefined, close: () => void) {
  const navigate = useNavigate();
  return (moment: string | undefined) => {
    close();
    void navigate({
      to: '/r/$object/$id',
      params: { object, id },
      search: { ...(from !== undefined && { from }), ...(moment !== undefined && { as_of: moment }) },
    });
  };
}

/** The email address of the record, from the fields that the role may see. */
function addressIn({ fields }: ObjectShape, record: KithRecord): string | undefined {
  const texts = fields
    .filter(({ type }) => type === 'EMAILS' || type === 'EMAIL')
    .flatMap(({ name, type }) => (type === 'EMAILS' ? entriesIn(record[name])[0]?.text : textIn(record[name])) ?? []);
  return texts[0];
}

interface FieldsProps {
  readonly shape: ObjectShape;
  readonly record: KithRecord;
  readonly isPast: boolean;
  readonly editing: string | undefined;
  readonly edit: (field: string | undefined) => void;
}

function Fields(props: FieldsProps) {
  const { shape, record, isPast } = props;
  const pipeline = shape.fields.find(({ type }) => type === 'PIPELINE');
  return (
    <FieldsPane {...props}>
      {pipeline && <StepBar object={shape.name} field={pipeline} record={record} isPast={isPast} />}
    </FieldsPane>
  );
}

interface PanesProps {
  readonly head: ReactNode;
  readonly fields: ReactNode;
  readonly related: ReactNode;
  /** The middle pane. */
  readonly children: ReactNode;
}

function Panes({ head, fields, related, children }: PanesProps) {
  const { record: texts } = useTexts();
  const isPhone = useIsPhone();
  return (
    <div className={styles.record}>
      {isPhone && <div className={styles.onlyPhoneHead}>{head}</div>}
      <section className={styles.fields} aria-label={texts.fields} tabIndex={0}>
        {!isPhone && head}
        {fields}
      </section>
      {children}
      <section className={styles.relations} aria-label={texts.related} tabIndex={0}>
        {related}
      </section>
    </div>
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
    { keys: 'l', label: records.addToList, run: actions.addToList },
    { keys: 'alt+ArrowDown', label: texts.nextRecord, whileTyping: true, run: () => actions.go(neighbours?.next) },
    {
      keys: 'alt+ArrowUp',
      label: texts.previousRecord,
      whileTyping: true,
      run: () => actions.go(neighbours?.previous),
    },
    { keys: 'Escape', label: texts.back, run: actions.back },
    ...(actions.email ? [{ keys: 'e', label: texts.email, run: actions.email }] : []),
    ...(emails && !actions.email
      ? [{ keys: 'e', label: texts.editField(emails.label), run: () => edit(emails.name) }]
      : []),
    ...(pipeline ? [{ keys: 'm', label: texts.editField(pipeline.label), run: () => edit(pipeline.name) }] : []),
    ...(owner ? [{ keys: 'a', label: texts.editField(owner.label), run: () => edit(owner.name) }] : []),
    ...(actions.merge ? [{ keys: 'shift+m', label: texts.merge, run: actions.merge }] : []),
    ...(actions.remove ? [{ keys: 'Delete', label: texts.moveToTrash, run: actions.remove }] : []),
  ]);
}
