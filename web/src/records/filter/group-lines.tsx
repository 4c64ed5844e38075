/** A group in the builder: its kind, its conditions and groups, and buttons that add further ones. */
import { Pencil, Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { FilterCondition, FilterGroup } from '../../../../client/index.js';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import type { Editing } from './editing.ts';
import { Line } from './line.tsx';
import styles from './filter.module.css';
import { operatorsOf } from './operators.ts';
import { added, countOf, isGroup, replaced, type Path } from './tree.ts';
import type { FilterField } from './use-filter-labels.ts';
import { nodeWords } from './words.ts';

interface GroupProps {
  readonly editing: Editing;
  readonly group: FilterGroup;
  readonly path: Path;
}

/** Groups within it are folded from a certain depth. */
export function GroupLines({ editing, group, path }: GroupProps) {
  const { filters } = useTexts();
  return (
    <div
      className={path.length === 0 ? styles.lines : styles.group}
      role="group"
      aria-label={groupName(group, filters)}
    >
      {(path.length > 0 || group.conditions.length > 1) && <Kind editing={editing} group={group} path={path} />}
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
      <Adding editing={editing} group={group} path={path} />
    </div>
  );
}

/** Chooses between all and any of the group. */
function Kind({ editing: { filter, put }, group, path }: GroupProps) {
  const { filters } = useTexts();
  return (
    <div className={styles.kind}>
      <select
        aria-label={filters.groupKind}
        value={group.type}
        onChange={({ target }) => put(replaced(filter, path, { ...group, type: target.value === 'OR' ? 'OR' : 'AND' }))}
      >
        <option value="AND">{filters.allOfThese}</option>
        <option value="OR">{filters.anyOfThese}</option>
      </select>
      <span className="faint">{filters.conditions(countOf(group))}</span>
      {path.length > 0 && (
        <Button
          kind="bare"
          aria-label={filters.removeGroup}
          icon={<X size={14} />}
          onClick={() => put(replaced(filter, path, undefined))}
        />
      )}
    </div>
  );
}

/** Deepest nesting offered; the service allows twenty levels. */
const deepest = 18;

function Adding({ editing: { filter, fields, put }, group, path }: GroupProps) {
  const { filters } = useTexts();
  return (
    <div className={styles.add}>
      <Button kind="bare" icon={<Plus size={14} />} onClick={() => put(added(filter, path, newLine(fields)))}>
        {filters.addCondition}
      </Button>
      {path.length < deepest && (
        <Button kind="bare" icon={<Plus size={14} />} onClick={() => put(added(filter, path, newGroup(group, fields)))}>
          {filters.addGroup}
        </Button>
      )}
    </div>
  );
}

/** Groups from this depth are folded to a sentence until they are opened. */
const foldedFrom = 2;

function Group({ editing, group, path }: GroupProps) {
  const { filters } = useTexts();
  const [isOpen, setOpen] = useState(path.length < foldedFrom);
  if (isOpen) return <GroupLines editing={editing} group={group} path={path} />;
  return (
    <span className={styles.folded}>
      <bdi className="clip">{`${groupName(group, filters)}: ${nodeWords(group, editing.filterLabels)}`}</bdi>
      <Button kind="bare" aria-label={filters.unfold} icon={<Pencil size={14} />} onClick={() => setOpen(true)} />
    </span>
  );
}

function groupName({ type }: FilterGroup, { allOfThese, anyOfThese }: { allOfThese: string; anyOfThese: string }) {
  return type === 'AND' ? allOfThese : anyOfThese;
}

/** An empty condition on the first field. */
function newLine([first]: readonly FilterField[]): FilterCondition {
  return { field: first?.path ?? 'id', operator: operatorsOf(first?.kind ?? 'text')[0] ?? 'equals' };
}

/** A group of the other kind with an empty condition. */
function newGroup(parent: FilterGroup, fields: readonly FilterField[]): FilterGroup {
  return { type: parent.type === 'AND' ? 'OR' : 'AND', conditions: [newLine(fields)] };
}
