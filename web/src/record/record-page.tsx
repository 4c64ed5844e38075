import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queries } from '../api/queries.ts';
import { NotThere } from '../app/not-there.tsx';
import { useObject } from '../app/workspace-context.tsx';
import type { ObjectShape } from '../api/workspace.ts';
import { Failure } from '../ui/failure.tsx';
import { useNeighbours } from './neighbours.ts';
import styles from './record-page.module.css';
import { isGone, recordQuery } from './record-query.ts';
import { RecordView } from './record-view.tsx';

/** One record. */
export function RecordPage() {
  const { object = '', id = '' } = useParams({ strict: false });
  const shape = useObject(object);
  return shape ? <Found key={object} shape={shape} id={id} /> : <NotThere />;
}

function Found({ shape, id }: { shape: ObjectShape; id: string }) {
  const { from, as_of: asOf } = useSearch({ strict: false });
  const query = useQuery({
    ...recordQuery(shape.name, id, asOf),
    ...(asOf !== undefined && { placeholderData: keepPreviousData }),
  });
  const neighbours = useNeighbours(shape.name, id, from);
  useEffect(() => {
    // Prefetches the next record.
    if (neighbours?.next !== undefined) void queries.prefetchQuery(recordQuery(shape.name, neighbours.next));
  }, [shape.name, neighbours?.next]);
  if (isGone(query.error)) return <NotThere />;
  if (query.data)
    return <RecordView key={id} shape={shape} loaded={query.data} asOf={asOf} from={from} neighbours={neighbours} />;
  if (query.error) return <Failure error={query.error} again={() => void query.refetch()} />;
  return <div className={styles.pending} aria-busy="true" />;
}
