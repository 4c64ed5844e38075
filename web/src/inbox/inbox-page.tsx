/** The inbox: threads of all channels, and the one that is open. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTitle } from '../app/use-title.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Dot } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { channels, useAccountStatus } from './inbox-data.ts';
import styles from './inbox.module.css';
import { ThreadList } from './thread-list.tsx';
import { ThreadView } from './thread-view.tsx';

/** The page; `?channel=` and `?q=` say which threads are listed. */
export function InboxPage() {
  const { shell, inbox } = useTexts();
  useTitle(shell.inbox);
  const { thread } = useParams({ strict: false });
  const { channel = 'all', q } = useSearch({ strict: false });
  return (
    <>
      <TopBar title={shell.inbox}>
        <Tabs
          label={inbox.channel}
          chosen={channel}
          tabs={channels.map((id) => ({
            id,
            label: inbox.channels[id] ?? id,
            to: '/inbox',
            search: { ...(id !== 'all' && { channel: id }), ...(q !== undefined && { q }) },
          }))}
        />
        <span className={styles.space} />
        <Account />
      </TopBar>
      <div className={styles.panes} data-open={thread !== undefined}>
        <section className={styles.list} aria-label={inbox.threads}>
          <Search />
          <ThreadList key={channel} openId={thread} />
        </section>
        {thread === undefined ? (
          <div className={styles.thread}>
            <Empty>{inbox.chooseThread}</Empty>
          </div>
        ) : (
          <ThreadView key={thread} id={thread} />
        )}
      </div>
    </>
  );
}

function Search() {
  const { inbox } = useTexts();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  return (
    <div className={styles.search}>
      <input
        type="search"
        aria-label={inbox.search}
        placeholder={inbox.search}
        value={search['q'] ?? ''}
        onChange={({ target }) =>
          void navigate({
            to: '.',
            search: { ...search, q: target.value === '' ? undefined : target.value },
            replace: true,
          })
        }
      />
    </div>
  );
}

/** The states of the reader's accounts, with a link to the settings. */
function Account() {
  const { inbox } = useTexts();
  const formats = useFormats();
  const { data } = useAccountStatus();
  if (!data) return undefined;
  const [first, ...rest] = data.integrations.toSorted(
    (a, b) => Number(a.status === 'active') - Number(b.status === 'active'),
  );
  if (!first) return <Link to="/settings/accounts">{inbox.connect}</Link>;
  return (
    <Link className={styles.account} to="/settings/accounts">
      <Dot color={first.status === 'active' ? 'var(--good)' : 'var(--bad)'} />
      <bdi className="clip">{first.account_email ?? first.provider}</bdi>
      <span className="dim">
        {first.last_sync_at === null
          ? inbox.accountStates[first.status]
          : inbox.fetched(formats.moment(first.last_sync_at))}
      </span>
      {rest.length > 0 && <span className="faint">+{rest.length}</span>}
    </Link>
  );
}
