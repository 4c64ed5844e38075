import { Link } from '@tanstack/react-router';
import { Merge } from 'lucide-react';
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import { Value } from '../values/value.tsx';
import type { Group } from './find.ts';
import { bodyOf, isNothing, rowsOf, takenFrom, useChoice, useTrial, type Choice, type Row } from './merging.ts';
import { Moved } from './moved.tsx';
import styles from './duplicates.module.css';

interface ComparisonProps {
  readonly group: Group;
  readonly object: ObjectShape;
  /** Its position among the groups, as text. */
  readonly position: string;
  readonly markDifferent: (isDifferent: boolean) => void;
}

/** The records of a group side by side, and the result of a merge. */
export function Comparison({ group, object, position, markDifferent }: ComparisonProps) {
  const { duplicates } = useTexts();
  const { reader } = useWorkspace();
  const { choice, keep, take } = useChoice(group, object);
  const trial = useTrial(group, object.name, choice);
  const name = (record: KithRecord) => nameOf(record, reader.displayFields[object.name]);
  const [first] = group.records;
  const title = duplicates.times(first ? name(first) : '', group.records.length);
  const { merge, isWorking } = useMerge(group, object, choice, trial.data?.record ?? first, name);
  const notSame = useNotSame(markDifferent);
  const mayMerge = !isWorking && trial.error === null && trial.data !== undefined;
  useKeys([
    {
      keys: 'mod+Enter',
      label: duplicates.merge(group.records.length),
      run: () => {
        if (mayMerge) void merge();
      },
    },
    { keys: 'x', label: duplicates.notSame, run: notSame },
  ]);
  return (
    <section className={styles.compare} aria-label={title}>
      <Head
        title={title}
        position={position}
        count={group.records.length}
        notSame={notSame}
        problem={trial.error ? messageOf(trial.error) : undefined}
        merge={mayMerge ? () => void merge() : undefined}
        isWorking={isWorking}
      />
      {trial.error && (
        <p role="alert" className={styles.problem}>
          {messageOf(trial.error)}
        </p>
      )}
      <Table
        group={group}
        object={object}
        choice={choice}
        keep={keep}
        take={take}
        name={name}
        result={trial.data?.record}
      />
      <Moved moved={trial.data?.moved ?? {}} />
      <p className="dim">
        {duplicates.canUnmerge}{' '}
        <Link to="/agents" search={{ by: 'people' }}>
          {duplicates.changes}
        </Link>
      </p>
    </section>
  );
}

interface TableProps extends HeadsProps {
  readonly take: (field: string, id: string) => void;
  /** The record after the merge. */
  readonly result: KithRecord | undefined;
}

function Table({ group, object, choice, keep, take, name, result }: TableProps) {
  const { duplicates } = useTexts();
  return (
    <div className={styles.wide} role="region" aria-label={duplicates.groups} tabIndex={0}>
      <table className={styles.table}>
        <Heads group={group} object={object} name={name} choice={choice} keep={keep} />
        <tbody>
          {rowsOf(group, object).map((row) => (
            <FieldRow
              key={row.field.name}
              row={row}
              group={group}
              choice={choice}
              result={result}
              name={name}
              take={take}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  readonly title: string;
  readonly position: string;
  readonly count: number;
  readonly notSame: () => void;
  /** Why the merge is not possible. */
  readonly problem: string | undefined;
  readonly merge: (() => void) | undefined;
  readonly isWorking: boolean;
}

function Head({ title, position, count, notSame, problem, merge, isWorking }: HeadProps) {
  const { duplicates } = useTexts();
  return (
    <header className={styles.head}>
      <h2 className="clip">
        <bdi>{title}</bdi>
      </h2>
      <span className="dim">{position}</span>
      <Button kind="bare" hint={keyText('x')} onClick={notSame}>
        {duplicates.notSame}
      </Button>
      <Button
        kind="main"
        icon={<Merge size={14} />}
        hint={keyText('mod+Enter')}
        isWorking={isWorking}
        disabled={merge === undefined}
        title={problem}
        onClick={merge}
      >
        {duplicates.merge(count)}
      </Button>
    </header>
  );
}

interface HeadsProps {
  readonly group: Group;
  readonly object: ObjectShape;
  readonly name: (record: KithRecord) => string;
  readonly choice: Choice;
  readonly keep: (id: string) => void;
}

function Heads({ group, object, name, choice, keep }: HeadsProps) {
  const { duplicates } = useTexts();
  const formats = useFormats();
  return (
    <thead>
      <tr>
        <th className={styles.label}>
          <span className="unseen">{duplicates.field}</span>
        </th>
        {group.records.map((record) => (
          <th key={record.id} scope="col">
            <Link to="/r/$object/$id" params={{ object: object.name, id: record.id }} className={styles.name}>
              <bdi>{name(record)}</bdi>
            </Link>
            {typeof record['created_at'] === 'string' && (
              <p className="dim">
                {duplicates.since(formats.day(record['created_at']), String(record['created_by_display'] ?? ''))}
              </p>
            )}
            <label className={styles.pick}>
              <input
                type="radio"
                name="master"
                checked={choice.master === record.id}
                onChange={() => keep(record.id)}
              />
              {duplicates.keepsId}
            </label>
          </th>
        ))}
        <th scope="col" className={styles.result}>
          <span className={styles.name}>{duplicates.after}</span>
          <p className="dim">{duplicates.afterHint}</p>
        </th>
      </tr>
    </thead>
  );
}

interface FieldRowProps {
  readonly row: Row;
  readonly group: Group;
  readonly choice: Choice;
  /** The record after the merge. */
  readonly result: KithRecord | undefined;
  readonly name: (record: KithRecord) => string;
  readonly take: (field: string, id: string) => void;
}

function FieldRow({ row: { field, isChosen }, group, choice, result, name, take }: FieldRowProps) {
  const { duplicates } = useTexts();
  const taken = takenFrom(group, field.name, choice);
  return (
    <tr>
      <th scope="row" className={styles.label}>
        <span className="clip">{field.label}</span>
      </th>
      {group.records.map((record) => {
        const isEmpty = isNothing(record[field.name]);
        const value = isEmpty ? (
          <span className="faint">{duplicates.none1}</span>
        ) : (
          <Value field={field} record={record} isLinked={false} />
        );
        return (
          <td key={record.id}>
            {isChosen && !isEmpty ? (
              <label className={styles.pick}>
                <input
                  type="radio"
                  name={`of ${field.name}`}
                  aria-label={duplicates.take(field.label, name(record))}
                  checked={taken === record.id}
                  onChange={() => take(field.name, record.id)}
                />
                <span className="clip">{value}</span>
              </label>
            ) : (
              <div className={`${styles.plain} clip`}>{value}</div>
            )}
          </td>
        );
      })}
      <td className={styles.result}>
        <div className="clip">{result && <Value field={field} record={result} isLinked={false} />}</div>
      </td>
    </tr>
  );
}

/** Merges; undo restores the duplicates with their values. */
function useMerge(
  group: Group,
  object: ObjectShape,
  choice: Choice,
  result: KithRecord | undefined,
  name: (record: KithRecord) => string,
) {
  const { duplicates, shell } = useTexts();
  const [isWorking, setWorking] = useState(false);
  const merge = async () => {
    setWorking(true);
    try {
      const text = duplicates.merged(result ? name(result) : object.labelSingular);
      await written(kith.records.duplicates(bodyOf(group, object.name, choice)), { text }, shell);
      await queries.invalidateQueries({ queryKey: ['records', object.name] });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    } finally {
      setWorking(false);
    }
  };
  return { merge, isWorking };
}

function useNotSame(markDifferent: (isDifferent: boolean) => void) {
  const { duplicates, shell } = useTexts();
  return () => {
    markDifferent(true);
    toast({ text: duplicates.markedNotSame, action: { label: shell.undo, run: () => markDifferent(false) } });
  };
}
