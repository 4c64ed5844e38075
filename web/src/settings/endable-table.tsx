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

/** A row that can be ended. */
export interface Endable {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly ReactNode[];
}

/** How it ends, in words. */
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
  /** Ends the one of this id, and has the list asked for anew. */
  readonly end: (id: string) => Promise<void>;
}

/** A table of what ends for good: a button at each row, and the key Del at the active one; both ask first. */
export function EndableTable({ label, columns, rows, texts, end }: EndableTableProps) {
  const { shell } = useTexts();
  const ids = rows.map(({ id }) => id);
  const active = useActiveRow(ids, () => {});
  const [asked, setAsked] = useState<Endable>();
  const ask = (id: string | undefined) => setAsked(rows.find((row) => row.id === id));
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
    setAsked(undefined);
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
              <Button kind="bare" aria-label={`${texts.end}: ${row.name}`} onClick={() => setAsked(row)}>
                {texts.end}
              </Button>
            </span>,
          ],
        }))}
      />
      {asked && <Ask key={asked.id} row={asked} texts={texts} done={done} close={() => setAsked(undefined)} />}
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
