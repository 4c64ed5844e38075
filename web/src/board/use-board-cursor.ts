import { useState } from 'react';
import type { KithRecord } from '../api/workspace.ts';
import { sideArrows } from '../app/direction.ts';
import { useKeys } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';

/** The focused card: arrow keys move between cards and columns. */
export function useBoardCursor(columns: readonly (readonly KithRecord[])[]) {
  const { records } = useTexts();
  const [id, setId] = useState<string>();
  const column = columns.findIndex((cards) => cards.some((card) => card.id === id));
  const row = columns[column]?.findIndex((card) => card.id === id) ?? -1;
  const first = columns.find((cards) => cards.length > 0)?.[0];
  const place = (card: KithRecord | undefined) => {
    if (!card) return;
    setId(card.id);
    document.getElementById(`card-${card.id}`)?.focus();
  };
  const down = (by: number) => place(column === -1 ? first : columns[column]?.[row + by]);
  const across = (by: number) => {
    if (column === -1) return place(first);
    for (let at = column + by; at >= 0 && at < columns.length; at += by) {
      const cards = columns[at] ?? [];
      if (cards.length > 0) return place(cards[Math.min(row, cards.length - 1)]);
    }
  };
  const { forward, backward } = sideArrows();
  useKeys([
    { keys: 'ArrowDown', label: records.keyRows, run: () => down(1) },
    { keys: 'ArrowUp', label: records.keyRows, run: () => down(-1) },
    { keys: forward, label: records.keyRows, run: () => across(1) },
    { keys: backward, label: records.keyRows, run: () => across(-1) },
  ]);
  return {
    current: () => (column === -1 ? first : columns[column]?.[row]),
    place: (card: KithRecord) => setId(card.id),
  };
}
