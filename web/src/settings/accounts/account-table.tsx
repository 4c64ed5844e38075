import { CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ActiveRow } from '../../app/use-active-row.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useFormats } from '../../i18n/language.tsx';
import { useSettingTexts } from '../../i18n/setting-texts.ts';
import { SettingTable } from '../setting-table.tsx';
import settings from '../settings.module.css';
import { AccountActions, type AccountActionsProps } from './account-actions.tsx';
import { isReached, nameOfAccount, stateOf, type Account } from './account-data.ts';
import styles from './accounts.module.css';

interface AccountTableProps extends Omit<AccountActionsProps, 'account'> {
  readonly accounts: readonly Account[];
  /** The row that keys act on. */
  readonly active: ActiveRow;
}

/** The accounts with their states; admins also see the owner. */
export function AccountTable({ accounts, active, ...actions }: AccountTableProps) {
  const { accounts: texts } = useSettingTexts();
  const { reader } = useWorkspace();
  const whose = reader.isAdmin ? [texts.of] : [];
  const columns = [texts.account, ...whose, texts.state, texts.lastLook, texts.nextLook, ''];
  const rows = accounts.map((account) => ({
    id: account.id,
    isActive: account.id === active.id,
    ref: active.ref(account.id),
    cells: [
      <Named key="account" account={account} />,
      ...(reader.isAdmin ? [<Owner key="of" email={account.user} />] : []),
      <State key="state" account={account} />,
      <Moment key="last" at={account.last_sync_at} without={isReached(account) ? texts.notYet : texts.never} />,
      <Moment key="next" at={account.next_sync_at} without={texts.never} isToCome />,
      <AccountActions key="actions" account={account} {...actions} />,
    ],
  }));
  return <SettingTable label={texts.list} columns={columns} rows={rows} />;
}

function Named({ account }: { account: Account }) {
  const { accounts: texts } = useSettingTexts();
  const formats = useFormats();
  const ways = account.channels.map((channel) => texts.channels[channel]);
  return (
    <span className={settings.who}>
      <b>
        <bdi>{nameOfAccount(account)}</bdi>
      </b>
      <span className={settings.second}>
        {formats.list(ways)}
        {account.channels.includes('email') && !account.send_enabled && ` · ${texts.readOnly}`}
      </span>
    </span>
  );
}

function Owner({ email }: { email: string }) {
  const { users } = useWorkspace();
  return <bdi>{[...users.values()].find((user) => user.email === email)?.name ?? email}</bdi>;
}

const icons = {
  good: CircleCheck,
  busy: LoaderCircle,
  warn: TriangleAlert,
  bad: CircleX,
  still: CircleDashed,
} as const;

function State({ account }: { account: Account }) {
  const { accounts: texts } = useSettingTexts();
  const formats = useFormats();
  const { kind, text } = stateOf(account, texts);
  const Icon = icons[kind];
  const { last_error: error, next_sync_at: next, remaining } = account;
  return (
    <span className={styles.state}>
      <Icon size={14} aria-hidden="true" className={styles[kind]} />
      <span className={settings.who}>
        {text}
        {remaining > 0 && <span className={settings.second}>{texts.remaining(remaining)}</span>}
        {error !== null && (
          <span className={settings.second}>
            <bdi>{error}</bdi>
          </span>
        )}
        {error !== null && next !== null && (
          <span className={settings.second}>{texts.againAt(isPast(next) ? texts.now : formats.moment(next))}</span>
        )}
      </span>
    </span>
  );
}

interface MomentProps {
  readonly at: string | null;
  readonly without: string;
  /** Whether it is in the future; a past one is shown as due. */
  readonly isToCome?: boolean;
}

function Moment({ at, without, isToCome = false }: MomentProps) {
  const { accounts: texts } = useSettingTexts();
  const formats = useFormats();
  if (at === null) return <span className="faint">{without}</span>;
  return <time dateTime={at}>{isToCome && isPast(at) ? texts.now : formats.moment(at)}</time>;
}

function isPast(moment: string): boolean {
  return Date.parse(moment) <= Date.now();
}
