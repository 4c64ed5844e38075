import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { NotThere } from '../app/not-there.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Failure } from '../ui/failure.tsx';
import { Comparison } from './comparison.tsx';
import styles from './duplicates.module.css';
import { useDifferent } from './find.ts';

/** Selected records side by side; once they are merged, opens the record. */
export function Chosen({ object, ids }: { object: ObjectShape; ids: readonly string[] }) {
  const { duplicates } = useTexts();
  const different = useDifferent(object.name);
  const request = { ids: ids.join(','), limit: ids.length };
  const { data, error, refetch } = useQuery({
    queryKey: keys.list(object.name, request),
    queryFn: ({ signal }) => kith.records.list(object.name, request, { signal }),
  });
  if (error) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <p className={styles.waiting} role="status" aria-busy="true" />;
  const records: readonly KithRecord[] = data.data;
  const [first, second] = records;
  if (!first) return <NotThere />;
  if (!second) return <Navigate to="/r/$object/$id" params={{ object: object.name, id: first.id }} replace />;
  const key = records
    .map(({ id }) => id)
    .toSorted()
    .join(' ');
  return (
    <Comparison
      key={key}
      group={{ key, records, reason: '' }}
      object={object}
      position={duplicates.of(1, 1)}
      markDifferent={(isDifferent) => different.mark(key, isDifferent)}
    />
  );
}
