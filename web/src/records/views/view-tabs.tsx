/** The views of a list with their counts; a dot marks unsaved changes. */
import { useQueries } from '@tanstack/react-query';
import { kith } from '../../api/kith.ts';
import { keys } from '../../api/queries.ts';
import { useKeys } from '../../app/keys.ts';
import { useIsLater } from '../../app/later.ts';
import { useFormats, useTexts } from '../../i18n/language.tsx';
import type { List } from '../use-list.ts';
import { savedState } from './use-views.ts';
import styles from './views.module.css';

interface ViewTabsProps {
  readonly list: List;
  /** The number of records in the list, which is also the count of the open view. */
  readonly total: number | undefined;
}

/** All records, then each view. */
export function ViewTabs({ list, total }: ViewTabsProps) {
  const { records } = useTexts();
  const counts = useCounts(list);
  const { views, view, isChanged, show } = list;
  const tabs = [{ id: undefined, name: records.all }, ...views];
  const at = tabs.findIndex(({ id }) => id === view?.id);
  useKeys([{ keys: 'v', label: records.keyViews, run: () => show(tabs[(at + 1) % tabs.length]?.id) }]);
  return (
    <nav className={styles.tabs} aria-label={records.views}>
      {tabs.map(({ id, name }) => {
        const isOpen = id === view?.id;
        return (
          <button
            key={id ?? ''}
            type="button"
            className={styles.tab}
            aria-current={isOpen ? 'page' : undefined}
            onClick={() => show(id)}
          >
            <bdi className="clip">{name}</bdi>
            <Count value={isOpen ? total : counts.get(id ?? '')} />
            {isOpen && isChanged && (
              <span className={styles.dot} role="img" aria-label={records.changedView} title={records.changedView} />
            )}
          </button>
        );
      })}
    </nav>
  );
}

function Count({ value }: { value: number | undefined }) {
  const formats = useFormats();
  return value === undefined ? undefined : <span className={styles.count}>{formats.number(value)}</span>;
}

/** Most views that are counted, since each count is a request. */
const mostCounted = 12;

function useCounts({ object, views }: List): ReadonlyMap<string, number> {
  const isLater = useIsLater();
  const counted = [
    { id: '', saved: undefined },
    ...views.slice(0, mostCounted).map((view) => ({ id: view.id, saved: savedState(view) })),
  ];
  return useQueries({
    queries: counted.map(({ saved }) => {
      const query = {
        limit: 1,
        fields: 'id',
        ...(saved?.filter && { filters: saved.filter }),
        ...(saved?.search && { search: saved.search }),
      };
      return {
        queryKey: keys.list(object.name, query),
        enabled: isLater,
        queryFn: ({ signal }: { signal: AbortSignal }) => kith.records.list(object.name, query, { signal }),
      };
    }),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, at): [string, number][] => (data ? [[counted[at]?.id ?? '', data.total]] : [])),
      ),
  });
}
