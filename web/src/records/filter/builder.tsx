/** The filter builder: lines of field, operator and value in nested groups, joined by "and" and "or". */
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { useEffect, useRef, type RefObject } from 'react';
import type { FilterGroup } from '../../../../client/index.js';
import { kith, messageOf } from '../../api/kith.ts';
import { keys } from '../../api/queries.ts';
import type { ObjectShape } from '../../api/workspace.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import styles from './filter.module.css';
import { GroupLines } from './group-lines.tsx';
import { countOf, wholeOf } from './tree.ts';
import { filterFields, useFilterLabels } from './use-filter-labels.ts';
import { sentence } from './words.ts';

interface BuilderProps {
  readonly object: ObjectShape;
  readonly filter: FilterGroup;
  readonly search: string;
  readonly put: (filter: FilterGroup) => void;
}

/** The builder; the list shows the filter while it is edited. */
export function Builder({ object, filter, search, put }: BuilderProps) {
  const { filters } = useTexts();
  const workspace = useWorkspace();
  const filterLabels = useFilterLabels(object, filter);
  const fields = filterFields(workspace, object);
  const whole = wholeOf(filter);
  const box = useRef<HTMLDivElement>(null);
  useFocusKept(box, countOf(filter));
  return (
    <div ref={box} className={styles.builder}>
      <header className={styles.head}>
        <h2>{filters.title(object.label)}</h2>
        <Count object={object.name} filter={whole} search={search} />
      </header>
      <GroupLines editing={{ filter, fields, filterLabels, put }} group={filter} path={[]} />
      <footer className={styles.foot}>
        <Button kind="bare" onClick={() => void copyFilter(whole, filters.copyAsApi)}>
          {filters.copyAsApi}
        </Button>
      </footer>
      <p className={styles.sentence}>
        <Info size={14} aria-hidden="true" />
        <bdi>{sentence(filter, object.label, filterLabels)}</bdi>
      </p>
    </div>
  );
}

/** When the focused line is removed, the button that adds one takes the focus. */
function useFocusKept(box: RefObject<HTMLElement | null>, lines: number): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    const last = [...(box.current?.querySelectorAll(`.${styles.add}`) ?? [])].at(-1);
    last?.querySelector('button')?.focus();
  }, [box, lines]);
}

async function copyFilter(filter: FilterGroup | undefined, text: string): Promise<void> {
  await navigator.clipboard.writeText(JSON.stringify(filter ?? { type: 'AND', conditions: [] })).then(
    () => toast({ text }),
    (error: unknown) => toast({ text: messageOf(error), isBad: true }),
  );
}

function Count({ object, filter, search }: { object: string; filter: FilterGroup | undefined; search: string }) {
  const { filters } = useTexts();
  const query = { limit: 1, fields: 'id', ...(filter && { filters: filter }), ...(search && { search }) };
  const { data, error } = useQuery({
    queryKey: keys.list(object, query),
    queryFn: ({ signal }) => kith.records.list(object, query, { signal }),
  });
  if (error) return <span className={styles.wrong}>{messageOf(error)}</span>;
  return <span role="status">{data === undefined ? '' : filters.match(data.total)}</span>;
}
