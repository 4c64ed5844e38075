import { useRef } from 'react';
import type { KithRecord } from '../api/workspace.ts';
import { Picker } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';
import { Dot } from '../ui/chip.tsx';
import type { BoardColumn } from './grouping.ts';

interface MoveMenuProps {
  readonly card: KithRecord;
  readonly columns: readonly BoardColumn[];
  readonly label: string;
  readonly pick: (to: BoardColumn) => void;
  readonly close: () => void;
}

/** Chooses the target column of a card: type its name, then Enter. */
export function MoveMenu({ card, columns, label, pick, close }: MoveMenuProps) {
  const at = useRef<HTMLElement>(document.getElementById(`card-${card.id}`));
  return (
    <Pop at={at} label={label} close={close}>
      <Picker
        label={label}
        items={columns.map(({ key, label: name, color, isRing }) => ({
          id: key,
          label: name,
          icon: <Dot color={color} isRing={isRing} />,
        }))}
        pick={(key) => {
          const to = columns.find((column) => column.key === key);
          if (to) pick(to);
        }}
      />
    </Pop>
  );
}
