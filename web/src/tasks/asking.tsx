import { lazyPart } from '../app/lazy-part.ts';
import type { Task } from './task-data.ts';
import type { TaskWrites } from './use-task-writes.ts';

const DuePopover = lazyPart(
  () => import('./due-popover.tsx'),
  (file) => file.DuePopover,
);
const PersonPicker = lazyPart(
  () => import('./person-picker.tsx'),
  (file) => file.PersonPicker,
);

/** Which value of a task is being asked for, and at which element. */
export interface TaskQuestion {
  readonly what: 'due' | 'person';
  readonly task: Task;
  readonly at: HTMLElement;
}

interface AskingProps {
  readonly question: TaskQuestion;
  readonly writes: TaskWrites;
  readonly close: () => void;
}

/** Asks for the due date or assignee of a task, at its row. */
export function Asking({ question: { what, task, at }, writes, close }: AskingProps) {
  return what === 'due' ? (
    <DuePopover at={at} save={(day) => writes.due(task, day)} close={close} />
  ) : (
    <PersonPicker at={at} pick={(user) => void writes.assign(task, user)} close={close} />
  );
}
