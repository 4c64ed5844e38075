import { Plus } from 'lucide-react';
import { useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { TaskComposer } from '../tasks/task-composer.tsx';
import { useTaskWrites } from '../tasks/use-task-writes.ts';
import { Button } from '../ui/button.tsx';
import { dayText } from '../values/whole-days.ts';

/** The button that creates a task, and its key; nothing if the reader may not create tasks. */
export function NewTaskButton({ begin }: { begin: () => void }) {
  const { tasks } = useTexts();
  const { permissions } = useWorkspace();
  const mayCreate = permissions['tasks']?.create === true;
  useKeys(mayCreate ? [{ keys: 'c', label: tasks.newTask, run: begin }] : []);
  if (!mayCreate) return undefined;
  return <Button aria-label={tasks.newTask} title={tasks.newTask} icon={<Plus size={14} />} onClick={begin} />;
}

/** A new task, due on the shown day. */
export function NewTask({ day, close }: { day: Date; close: () => void }) {
  const writes = useTaskWrites();
  return <TaskComposer writes={writes} due={dayText(day)} close={close} />;
}
