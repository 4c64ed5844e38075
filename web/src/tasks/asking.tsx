import { lazyPart } from '../app/lazy-part.ts';
import type { Task } from './task-data.ts';
import type { TaskWrites } from './use-task-writes.ts';

const DuePopover = lazyPart(async () => (await import('./due-popover.tsx')).DuePopover);
const PersonPicker = lazyPart(async () => (await import('./person-picker.tsx')).PersonPicker);

/** What is asked of a task, and at what. */
export interface Asked {
  readonly what: 'due' | 'person';
  readonly task: Task;
  readonly at: HTMLElement;
}

interface AskingProps {
  readonly asked: Asked;
  readonly writes: TaskWrites;
  readonly close: () => void;
}

/** Asks when a task is due, or whose it is, at its row. */
export function Asking({ asked: { what, task, at }, writes, close }: AskingProps) {
  return what === 'due' ? (
    <DuePopover at={at} save={(day) => writes.due(task, day)} close={close} />
  ) : (
    <PersonPicker at={at} pick={(user) => void writes.assign(task, user)} close={close} />
  );
}
