import type { TasksCreateBody, TasksUpdateBody } from '../../../client/index.js';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import { showAs, type Task } from './task-data.ts';

/** Writes to tasks: they are shown at once, can be undone, and are reverted if the service refuses them. */
export function useTaskWrites() {
  const { shell, tasks } = useTexts();
  const formats = useFormats();
  const { users } = useWorkspace();
  const again = () => queries.invalidateQueries({ queryKey: keys.tasks });
  /** For errors that cannot be shown at a field. */
  const showError = (error: unknown) => toast({ text: messageOf(error), isBad: true });
  const update = async (task: Task, values: TasksUpdateBody, text = tasks.wasChanged(task.title ?? '')) => {
    await written(kith.tasks.update(task.id, values), { text }, shell);
    await again();
  };
  return {
    update,
    async complete(task: Task, isDone = !task.is_completed) {
      const title = task.title ?? '';
      showAs(task.id, { is_completed: isDone });
      const text = isDone ? tasks.wasDone(title) : tasks.wasReopened(title);
      await written(kith.tasks.complete(task.id, { completed: isDone }), { text }, shell).catch(showError);
      await again();
    },
    due: (task: Task, day: string | null) =>
      update(
        task,
        { due_date: day },
        day === null ? tasks.wasChanged(task.title ?? '') : tasks.wasMoved(task.title ?? '', formats.near(day)),
      ),
    async assign(task: Task, userId: string | null) {
      const name = userId === null ? tasks.nobody : (users.get(userId)?.name ?? userId);
      await update(task, { assigned_to_id: userId }, tasks.wasAssigned(task.title ?? '', name)).catch(showError);
    },
    async create(values: TasksCreateBody): Promise<string> {
      const text = tasks.wasCreated(values.title ?? '');
      const { task_id: id } = await written(kith.tasks.create(values), { text }, shell);
      await again();
      return id;
    },
    async remove(task: Task) {
      await written(kith.tasks.delete(task.id), { text: tasks.wasDeleted(task.title ?? '') }, shell).catch(showError);
      await again();
    },
  };
}

export type TaskWrites = ReturnType<typeof useTaskWrites>;
