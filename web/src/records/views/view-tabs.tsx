/** The views of a list, with what they count; a dot where what is shown is not what was saved. */
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
  /** How many the list shows; of the view that is open this is counted already. */
  readonly total: number | undefined;
}

/** All, then each view. */
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

/** So many views are counted: what has more is not looked at all at once. */
const mostCounted = 12;

function useCounts({ object, views }: List): ReadonlyMap<string, number> {
  const isLater = useIsLater();
  const asked = [
    { id: '', saved: undefined },
    ...views.slice(0, mostCounted).map((view) => ({ id: view.id, saved: savedState(view) })),
  ];
  return useQueries({
    queries: asked.map(({ saved }) => {
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
      new Map(results.flatMap(({ data }, at): [string, number][] => (data ? [[asked[at]?.id ?? '', data.total]] : []))),
  });
}
