/** Actions on the selected records. */
import { List as ListIcon, Merge, Pencil, Trash2, UserRound, Waypoints, X } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState } from 'react';
import type { Permission } from '../../api/workspace.ts';
import { useKeys } from '../../app/keys.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useFormats, useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Pop } from '../../ui/pop.tsx';
import type { List } from '../use-list.ts';
import type { Marks } from '../use-marks.ts';
import type { Rows } from '../use-rows.ts';
import styles from './bulk.module.css';
import { Choosing, type Doing } from './choosing.tsx';
import { useBulk, type Bulk } from './use-bulk.ts';

interface BulkBarProps {
  readonly list: List;
  readonly rows: Rows;
  readonly marks: Marks;
  readonly permission: Permission | undefined;
}

/** Most records to compare side by side. */
const mostMerged = 20;

/** The bar above the table's foot; without a selection, the same keys act on the cursor's row. */
export function BulkBar({ list, rows, marks, permission }: BulkBarProps) {
  const { records } = useTexts();
  const formats = useFormats();
  const bulk = useBulk(list, rows, marks);
  const bar = useRef<HTMLDivElement>(null);
  const [doing, setDoing] = useState<Doing>();
  const count = marks.isAll ? (rows.total ?? 0) : marks.ids.size;
  const { shown, start } = useActions({ list, marks, permission }, count, setDoing, bulk);
  // Deferred: the row shows its selection at once, the bar follows.
  const hasAny = useDeferredValue(count > 0, false);
  if ((!hasAny || count === 0) && !bulk.progress && bulk.refused.length === 0) return undefined;
  return (
    <div ref={bar} className={styles.bar} role="region" aria-label={records.selected(count)}>
      <strong role="status">
        {bulk.progress ? records.inProgress(bulk.progress.done, bulk.progress.total) : records.selected(count)}
      </strong>
      {!marks.isAll && (rows.total ?? 0) > count && count > 0 && (
        <Button kind="bare" onClick={marks.selectAll}>
          {records.selectAll(rows.total ?? 0)}
        </Button>
      )}
      <span className={styles.line} />
      {shown.map(({ what, label, Icon }) => (
        <Button
          key={what}
          kind="bare"
          icon={<Icon size={14} />}
          disabled={bulk.progress !== undefined}
          title={label}
          onClick={() => start(what)}
        >
          <span className={styles.label}>{label}</span>
        </Button>
      ))}
      <span className={styles.line} />
      <Button
        kind="bare"
        aria-label={records.clearSelection}
        icon={<X size={14} />}
        onClick={() => (marks.clear(), bulk.forget())}
      />
      <TrialResult bulk={bulk} />
      {doing && (
        <Pop at={bar} label={formats.number(count)} close={() => setDoing(undefined)}>
          <Choosing list={list} doing={doing} permission={permission} close={() => setDoing(undefined)} bulk={bulk} />
        </Pop>
      )}
    </div>
  );
}

type What = Doing | 'delete' | 'merge';

/** The actions that the role allows on this many records, with their keys. */
function useActions(
  { list, marks, permission }: Omit<BulkBarProps, 'rows'>,
  count: number,
  setDoing: (doing: Doing) => void,
  bulk: Bulk,
) {
  const { records, shell } = useTexts();
  const { reader } = useWorkspace();
  const navigate = useNavigate();
  const mayWrite = (permission?.update ?? 'none') !== 'none';
  const mayDelete = (permission?.delete ?? 'none') !== 'none';
  const { fields } = list.object;
  const hasUsers = fields.some(({ type, name }) => type === 'USERS' && permission?.fields[name] === 'write');
  const hasSteps = fields.some(({ type, name }) => type === 'PIPELINE' && permission?.fields[name] !== 'read');
  const mayMerge = reader.isAdmin && mayWrite && mayDelete && !marks.isAll && marks.ids.size <= mostMerged;
  const merge = () => {
    const search = { ids: [...marks.ids].join(',') };
    void navigate({ to: '/duplicates/$object', params: { object: list.object.name }, search });
  };
  const start = (what: What) => {
    if (what === 'merge') return merge();
    if (count === 0 && marks.cursor) marks.toggle(marks.cursor.row);
    else if (count === 0) return;
    if (what !== 'delete') setDoing(what);
    else if (count > 0) void bulk.remove();
  };
  const actions = [
    { what: 'field', key: 'e', label: records.setField, Icon: Pencil, isThere: mayWrite },
    { what: 'list', key: 'l', label: records.addToList, Icon: ListIcon, isThere: true },
    { what: 'person', key: 'a', label: records.assign, Icon: UserRound, isThere: mayWrite && hasUsers },
    { what: 'step', key: 'm', label: records.move, Icon: Waypoints, isThere: mayWrite && hasSteps },
    { what: 'merge', key: 'shift+m', label: records.merge, Icon: Merge, isThere: mayMerge && count > 1 },
    { what: 'delete', key: 'Delete', label: shell.delete, Icon: Trash2, isThere: mayDelete },
  ] as const;
  const shown = actions.filter(({ isThere }) => isThere);
  useKeys(shown.map(({ what, key, label }) => ({ keys: key, label, run: () => start(what) })));
  return { shown, start };
}

/** What a dry run found, with a question; or what was refused in the end. */
function TrialResult({ bulk: { toConfirm, refused } }: { bulk: Bulk }) {
  const { records } = useTexts();
  if (toConfirm)
    return (
      <div className={styles.asked} role="alert">
        <p>
          {(toConfirm.isLoss ? records.wouldDelete : records.wouldChange)(
            toConfirm.outcome.changed,
            toConfirm.outcome.failed,
          )}
        </p>
        <Refused errors={toConfirm.outcome.errors} label={records.showRefused} />
        <Button kind="main" onClick={toConfirm.go}>
          {(toConfirm.isLoss ? records.deleteAnyway : records.changeAnyway)(toConfirm.outcome.changed)}
        </Button>
      </div>
    );
  if (refused.length === 0) return undefined;
  return (
    <div className={styles.asked}>
      <Refused errors={refused} label={`${records.refused(refused.length)}: ${records.showRefused}`} />
    </div>
  );
}

function Refused({
  errors,
  label,
}: {
  errors: readonly { readonly id: string; readonly reason: string }[];
  label: string;
}) {
  return (
    <details>
      <summary>{label}</summary>
      <ul className={styles.refused}>
        {errors.map(({ id, reason }) => (
          <li key={id}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}
