import { useState, type ReactNode } from 'react';
import { useKeys } from '../app/keys.ts';
import { useActiveRow } from '../app/use-active-row.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { useWork } from '../ui/use-work.ts';
import { Problem } from '../ui/problem.tsx';
import { SettingTable } from './setting-table.tsx';
import styles from './settings.module.css';

/** A row that can be ended, such as a token or an invitation. */
export interface Endable {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly ReactNode[];
}

/** The texts for ending it. */
export interface EndingTexts {
  readonly end: string;
  readonly ask: (name: string) => string;
  readonly hint: string;
  readonly ended: (name: string) => string;
}

interface EndableTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Endable[];
  readonly texts: EndingTexts;
  /** Ends the one with this id and fetches the list again. */
  readonly end: (id: string) => Promise<void>;
}

/** A table of things that can be ended for good: by a button in each row, or Del on the active one; both ask for confirmation. */
export function EndableTable({ label, columns, rows, texts, end }: EndableTableProps) {
  const { shell } = useTexts();
  const ids = rows.map(({ id }) => id);
  const active = useActiveRow(ids, () => {});
  const [toEnd, setToEnd] = useState<Endable>();
  const ask = (id: string | undefined) => setToEnd(rows.find((row) => row.id === id));
  useKeys([
    { keys: 'ArrowDown', label: shell.next, run: () => active.move(1) },
    { keys: 'ArrowUp', label: shell.previous, run: () => active.move(-1) },
    { keys: 'Delete', label: texts.end, run: () => ask(active.id) },
  ]);
  const done = async ({ id, name }: Endable) => {
    await end(id);
    toast({ text: texts.ended(name) });
    const at = ids.indexOf(id);
    const next = ids[at + 1] ?? ids[at - 1];
    setToEnd(undefined);
    if (next !== undefined) active.choose(next, true);
  };
  return (
    <>
      <SettingTable
        label={label}
        columns={[...columns, '']}
        rows={rows.map((row) => ({
          id: row.id,
          isActive: row.id === active.id,
          ref: active.ref(row.id),
          cells: [
            ...row.cells,
            <span key="end" className={`${styles.buttons} ${styles.ends}`}>
              <Button kind="bare" aria-label={`${texts.end}: ${row.name}`} onClick={() => setToEnd(row)}>
                {texts.end}
              </Button>
            </span>,
          ],
        }))}
      />
      {toEnd && <Ask key={toEnd.id} row={toEnd} texts={texts} done={done} close={() => setToEnd(undefined)} />}
    </>
  );
}

interface AskProps {
  readonly row: Endable;
  readonly texts: EndingTexts;
  readonly done: (row: Endable) => Promise<void>;
  readonly close: () => void;
}

function Ask({ row, texts, done, close }: AskProps) {
  const { shell } = useTexts();
  const { isWorking, problem, run } = useWork();
  return (
    <Dialog
      title={texts.ask(row.name)}
      role="alertdialog"
      isOpen
      close={close}
      actions={
        <>
          <Button onClick={close}>{shell.cancel}</Button>
          <Button kind="danger" autoFocus isWorking={isWorking} onClick={() => void run(() => done(row))}>
            {texts.end}
          </Button>
        </>
      }
    >
      <p>{texts.hint}</p>
      <Problem text={problem} />
    </Dialog>
  );
}
