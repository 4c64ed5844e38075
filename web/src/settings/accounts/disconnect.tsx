import { useState } from 'react';
import { kith } from '../../api/kith.ts';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useWork } from '../../ui/use-work.ts';
import { Problem } from '../../ui/problem.tsx';
import form from '../../ui/form.module.css';
import { nameOfAccount, refreshAccounts, type Account } from './account-data.ts';
import styles from './accounts.module.css';

/** Confirms that an account is disconnected, and asks whether its messages are deleted too. */
export function Disconnect({ account, close }: { account: Account; close: () => void }) {
  const { shell, accounts: texts } = useSettingTexts();
  const [toPurge, setToPurge] = useState(false);
  const { isWorking, problem, run } = useWork();
  const name = nameOfAccount(account);
  const go = async () => {
    await kith.accounts.remove(account.id, toPurge ? { purge: true } : {});
    close();
    toast({ text: texts.disconnected(name) });
    await refreshAccounts();
  };
  return (
    <Dialog
      title={texts.disconnectOne(name)}
      role="alertdialog"
      isOpen
      close={close}
      actions={
        <>
          <Button onClick={close}>{shell.cancel}</Button>
          <Button kind="danger" autoFocus isWorking={isWorking} onClick={() => void run(go)}>
            {texts.disconnect}
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        <p>{texts.disconnectAsk(name)}</p>
        <label className={form.choice}>
          <input type="checkbox" checked={toPurge} onChange={({ target }) => setToPurge(target.checked)} />
          {texts.purge}
        </label>
        {toPurge && <p className="dim">{texts.purgeHint}</p>}
        <Problem text={problem} />
      </div>
    </Dialog>
  );
}
