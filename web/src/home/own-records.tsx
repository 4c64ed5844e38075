import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FilterGroup } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { ObjectIcon } from '../app/object-icon.tsx';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { Part } from './part.tsx';
import styles from './home.module.css';

const most = 10;
const mostObjects = 6;

/** Records that the reader owns, last changed first. */
export function OwnRecords() {
  const { home } = useTexts();
  const formats = useFormats();
  const { objects, reader, userId } = useWorkspace();
  const owned = [...objects.values()]
    .filter(({ name, fields }) => {
      const names = new Set(fields.map((field) => field.name));
      return !['tasks', 'notes'].includes(name) && names.has('owner') && names.has('updated_at');
    })
    .slice(0, mostObjects);
  const filters: FilterGroup = { type: 'AND', conditions: [{ field: 'owner', operator: 'equals', value: userId }] };
  const query = { filters, sort_by: 'updated_at', sort_dir: 'desc', limit: most } as const;
  const lists = useQueries({
    queries: owned.map(({ name }) => ({
      queryKey: keys.list(name, query),
      queryFn: ({ signal }: { signal: AbortSignal }) => kith.records.list(name, query, { signal }),
    })),
  });
  if (owned.length === 0) return undefined;
  const failed = lists.find(({ error }) => error);
  const rows = lists
    .flatMap(({ data }, at) =>
      (data?.data ?? []).map((record) => ({ object: owned[at]!, record: record as KithRecord })),
    )
    .toSorted((a, b) => updatedOf(b.record).localeCompare(updatedOf(a.record)))
    .slice(0, most);
  return (
    <Part title={home.yours}>
      {failed ? (
        <Failure error={failed.error} again={() => lists.forEach(({ refetch }) => void refetch())} />
      ) : lists.some(({ isPending }) => isPending) ? (
        <RowLines count={4} />
      ) : rows.length === 0 ? (
        <p className="dim">{home.noneYours}</p>
      ) : (
        <ul>
          {rows.map(({ object, record }) => (
            <li key={record.id} className={styles.line}>
              <ObjectIcon name={object.iconName} />
              <Link to="/r/$object/$id" params={{ object: object.name, id: record.id }} className="clip">
                <bdi>{nameOf(record, reader.displayFields[object.name])}</bdi>
              </Link>
              <time dateTime={updatedOf(record)} className="dim">
                {home.changed(formats.near(updatedOf(record)))}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function updatedOf(record: KithRecord): string {
  return String(record['updated_at'] ?? '');
}
