import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditListQuery } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats } from '../i18n/language.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/field.tsx';
import styles from './audit.module.css';
import { subjectText, type Names } from './audit-subject.ts';
import { useRoles } from './people/people-data.ts';
import { Setting } from './setting.tsx';
import { SettingList } from './setting-list.tsx';
import { SettingTable } from './setting-table.tsx';

/** The audit for admins, latest first, filtered by the address. */
export function AuditPage() {
  const { shell, settings, audit } = useSettingTexts();
  const { reader } = useWorkspace();
  if (!reader.isAdmin)
    return (
      <Setting page="audit">
        <Empty>{shell.noAccess(settings.pages.audit)}</Empty>
      </Setting>
    );
  const lead = (
    <>
      {audit.lead} <code>kith audit verify</code> {audit.proves} <a href="/docs/rest/audit">{audit.more}</a>
    </>
  );
  return (
    <Setting page="audit" lead={lead}>
      <Narrowing />
      <Entries />
    </Setting>
  );
}

type Entry = Awaited<ReturnType<typeof kith.audit.list>>['data'][number];
type Action = NonNullable<AuditListQuery['action']>;

/** The filters in the address. */
function useFilters(): Pick<AuditListQuery, 'action' | 'actor'> {
  const { audit } = useSettingTexts();
  const { action = '', actor } = useSearch({ strict: false });
  return {
    ...(Object.hasOwn(audit.actions, action) && { action: action as Action }),
    ...(actor !== undefined && { actor }),
  };
}

function Narrowing() {
  const { audit } = useSettingTexts();
  const { users } = useWorkspace();
  const navigate = useNavigate();
  const filters = useFilters();
  const narrow = (search: Record<string, string>) =>
    void navigate({ to: '/settings/audit', search: { ...filters, ...search } });
  return (
    <div className={styles.narrowing}>
      <Field label={audit.columns.what}>
        {(control) => (
          <select {...control} value={filters.action ?? ''} onChange={({ target }) => narrow({ action: target.value })}>
            <option value="">{audit.anything}</option>
            {Object.entries(audit.actions).map(([action, label]) => (
              <option key={action} value={action}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={audit.columns.who}>
        {(control) => (
          <select {...control} value={filters.actor ?? ''} onChange={({ target }) => narrow({ actor: target.value })}>
            <option value="">{audit.anybody}</option>
            {[...users.values()].map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

function Entries() {
  const { audit } = useSettingTexts();
  const filters = useFilters();
  const names = useNames();
  const found = usePages([...keys.audit, filters], (at, { signal }) =>
    kith.audit.list({ limit: 50, ...filters, ...at }, { signal }),
  );
  const none = <Empty action={<Link to="/settings/audit">{audit.all}</Link>}>{audit.none}</Empty>;
  return (
    <SettingList found={found} empty={none}>
      {(rows) => (
        <SettingTable
          label={audit.entries}
          columns={[audit.columns.when, audit.columns.what, audit.columns.who, audit.columns.of]}
          rows={rows.map((entry) => ({
            id: String(entry.seq),
            cells: [
              <When key="when" at={entry.at} />,
              <What key="what" action={entry.action} />,
              <Who key="who" entry={entry} />,
              <Of key="of" entry={entry} names={names} />,
            ],
          }))}
        />
      )}
    </SettingList>
  );
}

/** Names of people and roles, by id. */
function useNames(): Names {
  const { users } = useWorkspace();
  const { data } = useRoles();
  return new Map([...users.values(), ...(data?.roles ?? [])].map(({ id, name }) => [id, name]));
}

function When({ at }: { at: string }) {
  const formats = useFormats();
  return (
    <time className={styles.when} dateTime={at} title={at}>
      {formats.moment(at)}
    </time>
  );
}

function What({ action }: { action: string }) {
  const { audit } = useSettingTexts();
  const label = Object.entries(audit.actions).find(([name]) => name === action)?.[1];
  return <b title={action}>{label ?? action}</b>;
}

function Who({ entry: { actor, agent, means, token, address } }: { entry: Entry }) {
  const { audit } = useSettingTexts();
  const by = [agent ?? means, token === null ? '' : audit.byToken(token), address ?? ''].filter((part) => part !== '');
  return (
    <span className={styles.who}>
      <bdi>{actor?.display ?? audit.nobody}</bdi>
      <span className={styles.by}>
        <bdi>{by.join(', ')}</bdi>
      </span>
    </span>
  );
}

function Of({ entry, names }: { entry: Entry; names: Names }) {
  const { audit } = useSettingTexts();
  const formats = useFormats();
  return (
    <bdi className="dim">{subjectText(entry.subject, { names, none: audit.nothing, moment: formats.moment })}</bdi>
  );
}
