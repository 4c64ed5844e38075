import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { FullValue } from '../values/full-value.tsx';
import { isEmpty } from '../values/shapes.ts';
import styles from './peek.module.css';

interface PeekProps {
  readonly object: ObjectShape;
  readonly id: string;
  readonly close: () => void;
}

/** A record in a panel beside its list, with a link to its page. */
export function Peek({ object, id, close }: PeekProps) {
  const { records, shell } = useTexts();
  const { reader } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.record(object.name, id), 'peek'],
    queryFn: async ({ signal }): Promise<KithRecord> =>
      (await kith.records.get(object.name, id, {}, { signal })).record,
  });
  const name = data ? nameOf(data, reader.displayFields[object.name]) : '';
  return (
    <aside className={styles.peek} aria-busy={!data && !error} aria-label={records.peek}>
      <header className={styles.head}>
        {data && (
          <h2 className="clip">
            <bdi>{name}</bdi>
          </h2>
        )}
        <Link className={styles.open ?? ''} to="/r/$object/$id" params={{ object: object.name, id }}>
          {records.openWhole}
        </Link>
        <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={close} />
      </header>
      {error && <Failure error={error} again={() => void refetch()} />}
      {data && (
        <dl className={styles.fields}>
          {object.fields
            .filter((field) => !isEmpty(field, data))
            .map((field) => (
              <div key={field.name}>
                <dt>
                  <bdi>{field.label}</bdi>
                </dt>
                <dd>
                  <FullValue field={field} record={data} />
                </dd>
              </div>
            ))}
        </dl>
      )}
    </aside>
  );
}
