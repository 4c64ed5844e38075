import { useState } from 'react';
import type { TrashListItem } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';

/** Confirms that a record is deleted from the trash, which cannot be undone. */
export function Purge({ object, row, close }: { object: string; row: TrashListItem; close: () => void }) {
  const { shell, records } = useTexts();
  const [wrong, setWrong] = useState<string>();
  const name = nameOf({ ...row }, 'display');
  const purge = async () => {
    try {
      await kith.trash.purge(object, row.id);
      toast({ text: records.purged(name) });
      await queries.invalidateQueries({ queryKey: keys.object(object) });
      close();
    } catch (error) {
      setWrong(messageOf(error));
    }
  };
  return (
    <Dialog
      title={records.purge}
      role="alertdialog"
      isOpen
      close={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {shell.cancel}
          </Button>
          <Button kind="danger" onClick={() => void purge()}>
            {records.purge}
          </Button>
        </>
      }
    >
      <p>{records.purgeAsk(name)}</p>
      {wrong !== undefined && <p role="alert">{wrong}</p>}
    </Dialog>
  );
}
