import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';

/** Asks before a dashboard ends for good. */
export function DeleteDashboard({ id, name, close }: { id: string; name: string; close: () => void }) {
  const { shell, dashboards } = useTexts();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const [isWorking, setWorking] = useState(false);
  const go = async () => {
    setWorking(true);
    try {
      await kith.dashboards.delete(id);
      await navigate({ to: '/dashboards' });
      await queries.invalidateQueries({ queryKey: [...keys.dashboards, 'list'] });
    } catch (error) {
      setProblem(messageOf(error));
      setWorking(false);
    }
  };
  return (
    <Dialog
      title={dashboards.deleteAll}
      role="alertdialog"
      isOpen
      close={close}
      actions={
        <>
          <Button onClick={close}>{shell.cancel}</Button>
          <Button kind="danger" isWorking={isWorking} onClick={() => void go()}>
            {shell.delete}
          </Button>
        </>
      }
    >
      <p>{dashboards.deleteAsk(name)}</p>
      {problem !== undefined && (
        <p role="alert" className={form.error}>
          {problem}
        </p>
      )}
    </Dialog>
  );
}
