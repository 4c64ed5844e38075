import { useNavigate } from '@tanstack/react-router';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { useWork } from '../ui/use-work.ts';

/** Asks before a dashboard is deleted; this cannot be undone. */
export function DeleteDashboard({ id, name, close }: { id: string; name: string; close: () => void }) {
  const { shell, dashboards } = useTexts();
  const navigate = useNavigate();
  const { isWorking, problem, run } = useWork();
  const go = async () => {
    await kith.dashboards.delete(id);
    await navigate({ to: '/dashboards' });
    await queries.invalidateQueries({ queryKey: [...keys.dashboards, 'list'] });
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
          <Button kind="danger" isWorking={isWorking} onClick={() => void run(go)}>
            {shell.delete}
          </Button>
        </>
      }
    >
      <p>{dashboards.deleteAsk(name)}</p>
      <Problem text={problem} />
    </Dialog>
  );
}
