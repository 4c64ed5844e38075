/** The table with its keys, selection, side panel and foot. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { Permission } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { toast } from '../ui/toasts.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { ListFoot } from './list-foot.tsx';
import styles from './list-page.module.css';
import { Peek } from './peek.tsx';
import type { Column } from './columns.ts';
import { RefusedCells } from './paste/refused-cells.tsx';
import { usePaste } from './paste/use-paste.ts';
import { RefusedList, useIsRefused } from './refused-list.tsx';
import { Table } from './table.tsx';
import type { Editing } from './table-props.ts';
import { useMarks } from './use-marks.ts';
import { useRows } from './use-rows.ts';
import { useTableKeys } from './use-table-keys.ts';
import type { List } from './use-list.ts';

/** The table of a list. */
export function TableOf({ list, permission }: { list: List; permission: Permission | undefined }) {
  const { object, query, fields, columns, state, change } = list;
  const { records: texts } = useTexts();
  const navigate = useNavigate();
  const rows = useRows(object.name, query, fields);
  const marks = useMarks(
    rows.records,
    useMemo(() => JSON.stringify([object.name, query]), [object.name, query]),
  );
  const [editing, setEditing] = useState<Editing>();
  const open = (id: string) => void navigate({ to: '/r/$object/$id', params: { object: object.name, id } });
  const edit = (row: number, column: Column | undefined, begun?: string) => {
    const record = rows.records[row];
    if (!record || !column) return;
    if (column.path.includes('.') || !mayWrite(permission, column))
      return toast({ text: texts.readOnly(column.label) });
    setEditing({ id: record.id, path: column.path, begun });
  };
  const stopEditing = () => {
    setEditing(undefined);
    document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
  };
  const edited = columns.find(({ path }) => path === editing?.path);
  // A column may be removed or become read-only while one of its cells is edited.
  useEffect(() => {
    if (editing && (!edited || !mayWrite(permission, edited))) setEditing(undefined);
  }, [editing, edited, permission]);
  const isRefused = useIsRefused(rows.error);
  const paste = usePaste({ list, rows, marks, permission });
  useTableKeys({ list, rows, marks, columns, paste: paste.read });
  if (isRefused) return <RefusedList list={list} error={rows.error} />;
  if (rows.error && rows.records.length === 0) return <Failure error={rows.error} again={rows.again} />;
  if (!rows.isLoading && rows.records.length === 0) return <NothingThere list={list} />;
  return (
    <>
      <div className={styles.body}>
        <Table
          object={object}
          rows={rows}
          columns={columns}
          marks={marks}
          sort={state.sort}
          editing={editing}
          open={open}
          edit={edit}
          stopEditing={stopEditing}
          reopen={setEditing}
          change={change}
        />
        {state.peek !== undefined && <Peek object={object} id={state.peek} close={() => change({ peek: undefined })} />}
        <RefusedCells paste={paste} />
        <BulkBar list={list} rows={rows} marks={marks} permission={permission} />
      </div>
      <ListFoot list={list} total={rows.total} />
    </>
  );
}

/** Whether the role may change the column's field in some records. */
function mayWrite(permission: Permission | undefined, { field }: Column): boolean {
  return permission?.update !== 'none' && permission?.fields[field.name] === 'write' && !field.isReadonly;
}

/** Why the list is empty, and an action that helps. */
export function NothingThere({ list }: { list: List }) {
  const { records: texts } = useTexts();
  const { object, state, change } = list;
  if (state.filter) {
    const { filter } = state;
    const less = { ...filter, conditions: filter.conditions.slice(0, -1) };
    return (
      <Empty
        action={
          <Button onClick={() => change({ filter: less.conditions.length > 0 ? less : undefined })}>
            {texts.removeLast}
          </Button>
        }
      >
        {texts.noneMatch(object.label)}
      </Empty>
    );
  }
  if (state.search !== '')
    return (
      <Empty action={<Button onClick={() => change({ search: '' })}>{texts.clearSearch}</Button>}>
        {texts.noneMatch(object.label)}
      </Empty>
    );
  return <NoneYet list={list} />;
}

/** For an object without records: create one, or import. */
function NoneYet({ list: { object } }: { list: List }) {
  const { records: texts } = useTexts();
  const { permissions, reader } = useWorkspace();
  const navigate = useNavigate();
  const mayCreate = permissions[object.name]?.create ?? false;
  const make = () => void navigate({ to: '.', search: (was) => ({ ...was, new: '1' }), resetScroll: false });
  const bring = () => void navigate({ to: '/import', search: { object: object.name } });
  const actions = mayCreate && (
    <span className={styles.actions}>
      <Button kind="main" onClick={make}>
        {texts.newOne(object.labelSingular)}
      </Button>
      {reader.isAdmin && <Button onClick={bring}>{texts.import}</Button>}
    </span>
  );
  return <Empty action={actions}>{texts.noneYet(object.label)}</Empty>;
}
