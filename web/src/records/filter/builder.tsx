/** The whole of a filter as lines of field, how and value; groups stand in groups, "and" and "or" are words. */
import { useQuery } from '@tanstack/react-query';
import { Info, Pencil, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FilterCondition, FilterGroup } from '../../../../client/index.js';
import { kith, messageOf } from '../../api/kith.ts';
import { keys } from '../../api/queries.ts';
import type { ObjectShape } from '../../api/workspace.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { Editing } from './editing.ts';
import { Line } from './line.tsx';
import styles from './filter.module.css';
import { operatorsOf } from './operators.ts';
import { added, countOf, isGroup, replaced, wholeOf, type Path } from './tree.ts';
import { filterFields, useTelling, type FilterField } from './use-telling.ts';
import { nodeWords, sentence } from './words.ts';

interface BuilderProps {
  readonly object: ObjectShape;
  readonly filter: FilterGroup;
  readonly search: string;
  readonly put: (filter: FilterGroup) => void;
}

/** The builder; what it makes is shown while it is made. */
export function Builder({ object, filter, search, put }: BuilderProps) {
  const { filters } = useTexts();
  const workspace = useWorkspace();
  const telling = useTelling(object, filter);
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
      <GroupLines editing={{ filter, fields, telling, put }} group={filter} path={[]} />
      <footer className={styles.foot}>
        <Button kind="bare" onClick={() => void copyFilter(whole, filters.copyAsApi)}>
          {filters.copyAsApi}
        </Button>
      </footer>
      <p className={styles.sentence}>
        <Info size={14} strokeWidth={1.5} aria-hidden="true" />
        <bdi>{sentence(filter, object.label, telling)}</bdi>
      </p>
    </div>
  );
}

/** When the line that had the focus is removed, the button that adds one has it. */
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

/** Below this depth a group is folded to its sentence, until it is asked for. */
const foldedFrom = 2;

function GroupLines({ editing, group, path }: { editing: Editing; group: FilterGroup; path: Path }) {
  const { filters } = useTexts();
  const { filter, put, fields } = editing;
  const add = () => {
    const [first] = fields;
    const condition = { field: first?.path ?? 'id', operator: operatorsOf(first?.kind ?? 'text')[0] ?? 'equals' };
    put(added(filter, path, condition));
  };
  return (
    <div
      className={path.length === 0 ? styles.lines : styles.group}
      role="group"
      aria-label={groupName(group, filters)}
    >
      {(path.length > 0 || group.conditions.length > 1) && (
        <div className={styles.kind}>
          <select
            aria-label={filters.groupKind}
            value={group.type}
            onChange={({ target }) =>
              put(replaced(filter, path, { ...group, type: target.value === 'OR' ? 'OR' : 'AND' }))
            }
          >
            <option value="AND">{filters.allOfThese}</option>
            <option value="OR">{filters.anyOfThese}</option>
          </select>
          <span className="faint">{filters.conditions(countOf(group))}</span>
          {path.length > 0 && (
            <Button
              kind="bare"
              aria-label={filters.removeGroup}
              icon={<X size={14} strokeWidth={1.5} />}
              onClick={() => put(replaced(filter, path, undefined))}
            />
          )}
        </div>
      )}
      {group.conditions.map((node, at) => (
        <div key={at} className={styles.line}>
          <span className={styles.joint}>{at === 0 ? '' : group.type === 'AND' ? filters.and : filters.or}</span>
          {isGroup(node) ? (
            <Group editing={editing} group={node} path={[...path, at]} />
          ) : (
            <Line condition={node} editing={editing} path={[...path, at]} />
          )}
        </div>
      ))}
      <div className={styles.add}>
        <Button kind="bare" icon={<Plus size={14} strokeWidth={1.5} />} onClick={add}>
          {filters.addCondition}
        </Button>
        {path.length < 18 && (
          <Button
            kind="bare"
            icon={<Plus size={14} strokeWidth={1.5} />}
            onClick={() => put(added(filter, path, newGroup(group, fields)))}
          >
            {filters.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}

function Group({ editing, group, path }: { editing: Editing; group: FilterGroup; path: Path }) {
  const { filters } = useTexts();
  const [isOpen, setOpen] = useState(path.length < foldedFrom);
  if (isOpen) return <GroupLines editing={editing} group={group} path={path} />;
  return (
    <span className={styles.folded}>
      <bdi className="clip">{`${groupName(group, filters)}: ${nodeWords(group, editing.telling)}`}</bdi>
      <Button
        kind="bare"
        aria-label={filters.unfold}
        icon={<Pencil size={14} strokeWidth={1.5} />}
        onClick={() => setOpen(true)}
      />
    </span>
  );
}

function groupName({ type }: FilterGroup, { allOfThese, anyOfThese }: { allOfThese: string; anyOfThese: string }) {
  return type === 'AND' ? allOfThese : anyOfThese;
}

/** A group of the other kind, with a line to fill. */
function newGroup(parent: FilterGroup, [first]: readonly FilterField[]): FilterGroup {
  const line: FilterCondition = {
    field: first?.path ?? 'id',
    operator: operatorsOf(first?.kind ?? 'text')[0] ?? 'equals',
  };
  return { type: parent.type === 'AND' ? 'OR' : 'AND', conditions: [line] };
}
