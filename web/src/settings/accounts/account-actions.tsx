import { kith } from '../../api/kith.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useFormats } from '../../i18n/language.tsx';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useWork } from '../../ui/use-work.ts';
import { Problem } from '../../ui/problem.tsx';
import settings from '../settings.module.css';
import { isBroken, isReached, nameOfAccount, refreshAccounts, type Account } from './account-data.ts';

export interface AccountActionsProps {
  readonly account: Account;
  /** Opens the form to reconnect the account. */
  readonly again: (account: Account) => void;
  /** Asks for confirmation and disconnects. */
  readonly disconnect: (account: Account) => void;
}

/** The actions on an account. */
export function AccountActions({ account, again, disconnect }: AccountActionsProps) {
  const { accounts: texts } = useSettingTexts();
  const { reader } = useWorkspace();
  const name = nameOfAccount(account);
  // Only the owner knows its password.
  const mayAgain = isBroken(account) && isReached(account) && account.user === reader.email;
  return (
    <span className={`${settings.buttons} ${settings.ends}`}>
      {mayAgain && (
        <Button kind="bare" aria-label={texts.connectAgain(name)} onClick={() => again(account)}>
          {texts.again}
        </Button>
      )}
      {isReached(account) && <Look account={account} />}
      <Button kind="bare" aria-label={texts.disconnectOne(name)} onClick={() => disconnect(account)}>
        {texts.disconnect}
      </Button>
    </span>
  );
}

/** Syncs at once, and says what has arrived. */
function Look({ account }: { account: Account }) {
  const { accounts: texts } = useSettingTexts();
  const formats = useFormats();
  const { isWorking, problem, run } = useWork();
  const name = nameOfAccount(account);
  const look = async () => {
    const { interactions, events, failed } = await kith.accounts.sync(account.id);
    const parts = [
      ...(interactions > 0 ? [texts.messages(interactions)] : []),
      ...(events > 0 ? [texts.meetings(events)] : []),
      ...(failed.length > 0 ? [texts.refused(failed.length)] : []),
    ];
    toast({ text: parts.length === 0 ? texts.looked(name) : texts.came(name, formats.list(parts)) });
  };
  return (
    <>
      <Button
        kind="bare"
        isWorking={isWorking}
        aria-label={texts.lookAt(name)}
        onClick={() => void run(look).then(refreshAccounts)}
      >
        {texts.look}
      </Button>
      <Problem text={problem} />
    </>
  );
}
