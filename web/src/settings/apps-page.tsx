import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats } from '../i18n/language.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Empty } from '../ui/empty.tsx';
import { EndableTable } from './endable-table.tsx';
import { LastUse } from './last-use.tsx';
import { Setting } from './setting.tsx';
import { SettingList } from './setting-list.tsx';

/** Apps that act for a person; for admins, all apps of the organization. */
export function AppsPage() {
  const { apps } = useSettingTexts();
  const found = usePages(keys.connectedApps, (at, { signal }) =>
    kith.connectedApps.list({ limit: 100, ...at }, { signal }),
  );
  return (
    <Setting page="apps" lead={apps.lead}>
      <SettingList found={found} empty={<Empty>{apps.none}</Empty>}>
        {(rows) => <Apps rows={rows} />}
      </SettingList>
    </Setting>
  );
}

type App = Awaited<ReturnType<typeof kith.connectedApps.list>>['data'][number];

function Apps({ rows }: { rows: readonly App[] }) {
  const { apps } = useSettingTexts();
  const { reader } = useWorkspace();
  const formats = useFormats();
  const { columns } = apps;
  const shown = rows.map(({ id, name, host, user_name: user, created_at: allowed, last_used_at: used }) => ({
    id,
    name,
    cells: [
      <b key="name">
        <bdi>{name}</bdi>
      </b>,
      <bdi key="host">{host}</bdi>,
      ...(reader.isAdmin ? [<bdi key="user">{user}</bdi>] : []),
      <time key="allowed" dateTime={allowed}>
        {formats.moment(allowed)}
      </time>,
      <LastUse key="used" at={used} />,
    ],
  }));
  return (
    <EndableTable
      label={apps.apps}
      columns={[columns.name, columns.host, ...(reader.isAdmin ? [columns.user] : []), columns.allowed, columns.used]}
      rows={shown}
      texts={apps.ending}
      end={async (id) => {
        await kith.connectedApp.disconnect(id);
        await queries.invalidateQueries({ queryKey: keys.connectedApps });
      }}
    />
  );
}
