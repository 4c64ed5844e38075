import { useRef, useState } from 'react';
import { useKeys } from '../app/keys.ts';
import { useActiveRow } from '../app/use-active-row.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { toast } from '../ui/toasts.tsx';
import { nameOfAccount, useAccounts, type Account } from './accounts/account-data.ts';
import { AccountTable } from './accounts/account-table.tsx';
import { ConnectForm } from './accounts/connect-form.tsx';
import { Disconnect } from './accounts/disconnect.tsx';
import { kinds, useConnect } from './accounts/use-connect.ts';
import { Setting } from './setting.tsx';

/** The accounts of a person: mailboxes, calendars and messengers; for an admin, everybody's. */
export function AccountsPage() {
  const { accounts: texts, shell } = useSettingTexts();
  const { reader } = useWorkspace();
  const { data, error, refetch } = useAccounts();
  const [leaving, setLeaving] = useState<Account>();
  const first = useRef<HTMLInputElement>(null);
  const accounts = data?.accounts ?? [];
  const rows = useActiveRow(
    accounts.map(({ id }) => id),
    () => {},
  );
  const form = useConnect(reader.email, ({ name }) => toast({ text: texts.connected(name) }));
  const enter = () => first.current?.focus();
  useKeys([
    { keys: 'c', label: texts.connectTitle, run: enter },
    { keys: 'ArrowDown', label: shell.next, run: () => rows.move(1) },
    { keys: 'ArrowUp', label: shell.previous, run: () => rows.move(-1) },
    { keys: 'Delete', label: texts.disconnect, run: () => setLeaving(accounts[rows.at]) },
  ]);
  const again = (account: Account) => {
    form.start(kinds.find((kind) => kind === account.provider) ?? 'imap', nameOfAccount(account));
    // The fields of another kind are rendered with the next frame.
    requestAnimationFrame(enter);
  };
  return (
    <Setting page="accounts" lead={texts.lead}>
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <RowLines count={3} />}
      {data && accounts.length === 0 && <p className="dim">{texts.none}</p>}
      {accounts.length > 0 && <AccountTable accounts={accounts} active={rows} again={again} disconnect={setLeaving} />}
      <ConnectForm form={form} first={first} />
      {leaving && <Disconnect account={leaving} close={() => setLeaving(undefined)} />}
    </Setting>
  );
}
