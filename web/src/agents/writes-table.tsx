import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { valueText } from '../ui/value-text.ts';
import type { Write } from './runs.ts';
import styles from './agents.module.css';

interface WritesTableProps {
  readonly writes: readonly Write[];
  /** Records that an undo would not change back. */
  readonly left: readonly { readonly id: string; readonly fields?: readonly string[] }[];
}

/** What a run wrote: record, field, before and after. */
export function WritesTable({ writes, left }: WritesTableProps) {
  const { agents } = useTexts();
  const since = (id: string, field: string) => {
    const one = left.find((record) => record.id === id);
    return one !== undefined && (one.fields === undefined || one.fields.includes(field));
  };
  return (
    <div className={styles.wide} role="region" aria-label={agents.record} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{agents.record}</th>
            <th>{agents.field}</th>
            <th>{agents.before}</th>
            <th>{agents.after}</th>
          </tr>
        </thead>
        <tbody>
          {writes.flatMap((write, at) =>
            rowsOf(write).map((change, index) => (
              <tr key={`${at} ${index}`} className={since(write.id, change.field) ? styles.changed : undefined}>
                <td className={styles.cell}>
                  <Written write={write} />
                </td>
                <ChangeCells write={write} change={change} />
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** The record that was written: its current name, and a link to it. */
function Written({ write: { object, id, display } }: { write: Write }) {
  const { objects } = useWorkspace();
  const name = <bdi>{display ?? objects.get(object)?.labelSingular ?? object}</bdi>;
  if (display === null || object === 'tasks' || object === 'notes') return name;
  if (object !== 'lists')
    return (
      <Link to="/r/$object/$id" params={{ object, id }}>
        {name}
      </Link>
    );
  return (
    <Link to="/lists/$id" params={{ id }}>
      {name}
    </Link>
  );
}

interface Change {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A created record is one line; an update has one line per changed field. */
function rowsOf({ action, changes }: Write): readonly Change[] {
  if (action === 'create' || changes.length === 0) return [{ field: '' }];
  return changes.map((change) =>
    'added' in change ? { field: change.field, before: change.removed, after: change.added } : change,
  );
}

function ChangeCells({ write, change }: { write: Write; change: Change }) {
  const { agents } = useTexts();
  const formats = useFormats();
  const { objects, users } = useWorkspace();
  if (change.field === '')
    return (
      <td colSpan={3} className="dim">
        {agents.actions[write.action]}
      </td>
    );
  const field = objects.get(write.object)?.fields.find(({ name }) => name === change.field);
  const text = (value: unknown) =>
    (typeof value === 'string' && users.get(value)?.name) || valueText(value, formats, field);
  const before = text(change.before);
  return (
    <>
      <td>{field?.label ?? change.field}</td>
      <td className={styles.cell}>
        {before === '' ? (
          <span className="faint">{agents.nothingBefore}</span>
        ) : (
          <del>
            <bdi>{before}</bdi>
          </del>
        )}
      </td>
      <td className={styles.cell}>
        <bdi>{text(change.after)}</bdi>
      </td>
    </>
  );
}
