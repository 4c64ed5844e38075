import { useEffect, useRef, useState } from 'react';
import { kith, messageOf } from '../../api/kith.ts';
import type { Permission } from '../../api/workspace.ts';
import { undo, written } from '../../app/changes.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useDecimal } from '../../values/editors/line-editor.tsx';
import type { List } from '../use-list.ts';
import type { Marks } from '../use-marks.ts';
import type { Rows } from '../use-rows.ts';
import { cellsIn } from './block.ts';
import { readBlock, writeAll, writePaste, type RecordPaste, type Refused } from './paste-work.ts';

interface Pasting {
  readonly list: List;
  readonly rows: Rows;
  readonly marks: Marks;
  readonly permission: Permission | undefined;
}

export interface Paste {
  /** The refused cells of the last block. */
  readonly refused: readonly Refused[];
  forget(): void;
  /** Reads the clipboard, for when no paste key was pressed. */
  read(): void;
}

/** Pastes blocks of cells from spreadsheets at the cursor. */
export function usePaste(given: Pasting): Paste {
  const { list, rows, marks, permission } = given;
  const texts = useTexts();
  const workspace = useWorkspace();
  const decimal = useDecimal();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const take = async (text: string) => {
    const block = cellsIn(text);
    const from = { row: marks.cursor?.row ?? 0, cell: marks.cursor?.cell ?? 0 };
    const records = rows.records.slice(from.row, from.row + block.length);
    const columns = list.columns.slice(from.cell);
    const widest = Math.max(...block.map((row) => row.length));
    if (records.length < block.length)
      return toast({ text: texts.records.tooManyRows(block.length, records.length), isBad: true });
    if (columns.length < widest)
      return toast({ text: texts.records.tooManyColumns(widest, columns.length), isBad: true });
    setRefused([]);
    const reading = { workspace, texts: texts.values, decimal, now: new Date() };
    const target = { object: list.object, permission, records, columns };
    const read = await readBlock(block, target, reading, texts.records.severalOfName);
    const changeSet = crypto.randomUUID();
    let isFirst = true;
    const write = (paste: RecordPaste) =>
      writePaste(paste, list.object, reading, async (values) => {
        const sent = kith.records.update(list.object.name, paste.record.id, values, { changeSet });
        // All writes share the change set of the first, so that they are undone together.
        await (isFirst
          ? written(sent, { text: texts.records.pasted(read.pastes.length), isQuiet: true }, texts.shell)
          : sent);
        isFirst = false;
      });
    const kept = [...read.refused, ...(await writeAll(read.pastes, write))];
    setRefused(kept);
    void rows.refresh(...read.pastes.map(({ record }) => record.id));
    if (isFirst) return;
    const change = { changeSet, text: texts.records.pasted(read.pastes.length) };
    toast({ text: change.text, action: { label: texts.shell.undo, run: () => void undo(change, texts.shell) } });
  };
  const takeText = (text: string) =>
    take(text).catch((error: unknown) => toast({ text: messageOf(error), isBad: true }));
  useCopied(takeText);
  return {
    refused,
    forget: () => setRefused([]),
    read: () =>
      void navigator.clipboard
        .readText()
        .then(takeText, (error: unknown) => toast({ text: messageOf(error), isBad: true })),
  };
}

/** Handles the browser's paste event while the table has the focus. */
function useCopied(take: (text: string) => Promise<void>): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text === '' || document.activeElement?.role !== 'grid') return;
      event.preventDefault();
      void latest.current(text);
    };
    addEventListener('paste', listen);
    return () => removeEventListener('paste', listen);
  }, []);
}
