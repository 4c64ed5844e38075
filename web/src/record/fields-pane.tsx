/** All fields of the record in the schema's order: first those that people fill in, then those that the service sets. */
import { useMemo, type ReactNode } from 'react';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { FieldRow } from './field-row.tsx';
import styles from './record-page.module.css';

interface FieldsProps {
  readonly shape: ObjectShape;
  readonly record: KithRecord;
  readonly isPast: boolean;
  readonly editing: string | undefined;
  readonly edit: (field: string | undefined) => void;
  readonly children?: ReactNode;
}

/** The fields that the role may see. */
export function FieldsPane({ shape, record, isPast, editing, edit, children }: FieldsProps) {
  const { permissions } = useWorkspace();
  const rights = permissions[shape.name]?.fields;
  const fields = useMemo(
    () =>
      shape.fields
        .filter(
          (field) =>
            !field.isHidden &&
            (rights === undefined || field.name in rights) &&
            (field.type === 'PIPELINE' ? 'pipeline_step_id' in record : field.name in record),
        )
        .toSorted((a, b) => Number(a.isReadonly) - Number(b.isReadonly)),
    [shape, rights, record],
  );
  return (
    <>
      {children}
      <dl className={styles.facts}>
        {fields.map((field) => (
          <FieldRow
            key={field.name}
            object={shape.name}
            record={record}
            field={field}
            isPast={isPast}
            isEditing={editing === field.name && !isPast}
            edit={edit}
          />
        ))}
      </dl>
    </>
  );
}
