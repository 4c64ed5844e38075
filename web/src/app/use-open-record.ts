import { useNavigate } from '@tanstack/react-router';
import { kith, messageOf } from '../api/kith.ts';
import { useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';

/** Opens a record of any object: a task on the tasks page, a note at the first record that it is linked to. */
export function useOpenRecord(): (object: string, id: string) => Promise<void> {
  const navigate = useNavigate();
  const { notifications } = useTexts();
  return async (object, id) => {
    if (object === 'tasks') return navigate({ to: '/tasks', search: { task: id } });
    if (object !== 'notes') return navigate({ to: '/r/$object/$id', params: { object, id } });
    try {
      const [about] = (await kith.notes.get(id)).note.linked_entities;
      if (!about) return toast({ text: notifications.gone });
      return await navigate({ to: '/r/$object/$id', params: { object: about.type, id: about.id }, hash: 'notes' });
    } catch (error) {
      return toast({ text: messageOf(error), isBad: true });
    }
  };
}
