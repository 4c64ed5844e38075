import { useState } from 'react';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats } from '../i18n/language.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Empty } from '../ui/empty.tsx';
import { EndableTable } from './endable-table.tsx';
import { FreshToken, type MadeToken } from './fresh-token.tsx';
import { LastUse } from './last-use.tsx';
import { NewToken } from './new-token.tsx';
import { Setting } from './setting.tsx';
import { SettingList } from './setting-list.tsx';
import styles from './settings.module.css';

/** A person's API tokens; for admins, all tokens of the organization. */
export function TokensPage() {
  const { tokens } = useSettingTexts();
  const [fresh, setFresh] = useState<MadeToken>();
  const found = useTokens();
  const made = async (token: MadeToken) => {
    setFresh(token);
    await refresh();
  };
  return (
    <Setting page="tokens" lead={tokens.lead}>
      {fresh && <FreshToken key={fresh.id} made={fresh} />}
      <SettingList found={found} empty={<Empty>{tokens.none}</Empty>}>
        {(rows) => <Tokens rows={rows} />}
      </SettingList>
      <NewToken made={made} />
    </Setting>
  );
}

type Token = Awaited<ReturnType<typeof kith.tokens.list>>['data'][number];

const refresh = () => queries.invalidateQueries({ queryKey: keys.tokens });

function useTokens() {
  return usePages(keys.tokens, (at, { signal }) =>
    kith.tokens.list({ is_revoked: false, limit: 100, ...at }, { signal }),
  );
}

function Tokens({ rows }: { rows: readonly Token[] }) {
  const { tokens } = useSettingTexts();
  const { reader } = useWorkspace();
  const { columns } = tokens;
  const shown = rows.map(({ id, name, user_name: user, scopes, last_used_at: used, expires_at: end }) => ({
    id,
    name,
    cells: [
      <b key="name">
        <bdi>{name}</bdi>
      </b>,
      ...(reader.isAdmin ? [<bdi key="user">{user}</bdi>] : []),
      scopes.join(', '),
      <LastUse key="used" at={used} />,
      <Expiry key="end" at={end} />,
    ],
  }));
  return (
    <EndableTable
      label={tokens.tokens}
      columns={[columns.name, ...(reader.isAdmin ? [columns.user] : []), columns.scopes, columns.used, columns.expires]}
      rows={shown}
      texts={tokens.ending}
      end={async (id) => {
        await kith.token.revoke(id);
        await refresh();
      }}
    />
  );
}

/** A token that expires within this time has another colour. */
const soonMs = 30 * 86_400_000;

function Expiry({ at }: { at: string | null }) {
  const { tokens } = useSettingTexts();
  const formats = useFormats();
  if (at === null) return <span className="faint">{tokens.never}</span>;
  const leftMs = Date.parse(at) - Date.now();
  const day = formats.near(at);
  if (leftMs <= 0) return <span className="faint">{tokens.expired(day)}</span>;
  return (
    <time dateTime={at} className={leftMs < soonMs ? styles.soon : undefined}>
      {day}
    </time>
  );
}
