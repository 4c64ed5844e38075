/** Every change of the record: who, when and what; each can be undone, and the record shown as it was then. */
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { undo } from '../app/changes.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Differences } from './differences.tsx';
import styles from './history-dialog.module.css';
import { actionText, Author } from './timeline-edits.tsx';

interface HistoryProps {
  readonly shape: ObjectShape;
  readonly record: KithRecord;
  readonly close: () => void;
  /** Shows the record as of a time. */
  readonly goTo: (moment: string) => void;
}

/** The history, newest first. */
export function HistoryDialog({ shape, record, close, goTo }: HistoryProps) {
  const { record: texts, shell } = useTexts();
  const past = usePages([...keys.history(shape.name, record.id), 'all'], (at) =>
    kith.records.history(shape.name, record.id, at),
  );
  const entries = past.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Dialog title={texts.history} isOpen close={close}>
      {past.error && <Failure error={past.error} again={() => void past.refetch()} />}
      {past.data && entries.length === 0 && <Empty>{texts.noHistory}</Empty>}
      <ol className={styles.entries} aria-busy={past.isPending}>
        {entries.map((entry) => (
          <Entry key={entry.id} shape={shape} record={record} entry={entry} goTo={goTo} />
        ))}
      </ol>
      {past.hasNextPage && <Button onClick={() => void past.fetchNextPage()}>{shell.showMore}</Button>}
    </Dialog>
  );
}

type EntryProps = Pick<HistoryProps, 'shape' | 'record' | 'goTo'> & {
  readonly entry: Parameters<typeof Differences>[0]['entry'];
};

function Entry({ shape, record, entry, goTo }: EntryProps) {
  const { record: texts, shell } = useTexts();
  const formats = useFormats();
  const { at, change_set: changeSet, action } = entry;
  return (
    <li className={styles.entry}>
      <p className={styles.head}>
        <span>
          <b>
            <Author entry={entry} />
          </b>{' '}
          <span className="dim">
            {action === 'update' ? texts.changedFields(entry.changes.length) : actionText(entry, texts)}
          </span>
        </span>
        {at !== null && <time dateTime={at}>{formats.moment(at)}</time>}
      </p>
      <Differences shape={shape} record={record} entry={entry} />
      <span className={styles.actions}>
        {at !== null && (
          <Button kind="bare" onClick={() => goTo(at)}>
            {texts.asItWas}
          </Button>
        )}
        {changeSet !== null && action === 'update' && (
          <Button
            kind="bare"
            onClick={() => void undo({ changeSet, text: texts.changedFields(entry.changes.length) }, shell)}
          >
            {texts.undoChange}
          </Button>
        )}
      </span>
    </li>
  );
}
