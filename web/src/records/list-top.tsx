import { Ellipsis, Plus, SquareKanban, Table2 } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Pop } from '../ui/pop.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import styles from './list-page.module.css';
import type { List } from './use-list.ts';
import { ViewTabs } from './views/view-tabs.tsx';

const ListMenu = lazyPart(
  () => import('./list-menu.tsx'),
  (file) => file.ListMenu,
);
const RenameView = lazyPart(
  () => import('./views/rename-view.tsx'),
  (file) => file.RenameView,
);
const NewRecord = lazyPart(
  () => import('./new-record.tsx'),
  (file) => file.NewRecord,
);

/** The bar at the top: views, layout, menu, and the button for a new record. */
export function ListTop({ list, total }: { list: List; total: number | undefined }) {
  const { records } = useTexts();
  const { permissions } = useWorkspace();
  const { object, state, change } = list;
  const { new: requested } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [isBegun, setNew] = useState(false);
  const isNew = isBegun || requested !== undefined;
  const closeNew = () => {
    setNew(false);
    if (requested !== undefined)
      void navigate({ to: '.', search: (was) => ({ ...was, new: undefined }), replace: true, resetScroll: false });
  };
  const mayCreate = permissions[object.name]?.create ?? false;
  useKeys(mayCreate ? [{ keys: 'c', label: records.newOne(object.labelSingular), run: () => setNew(true) }] : []);
  const layouts = [
    { layout: 'table', label: records.table, Icon: Table2 },
    { layout: 'board', label: records.board, Icon: SquareKanban },
  ] as const;
  const isShown = object.fields.some(({ type }) => type === 'PIPELINE' || type === 'SELECT');
  return (
    <TopBar title={object.label}>
      <ViewTabs list={list} total={total} />
      <span className={styles.space} />
      {isShown && (
        <span className={styles.layouts} role="group" aria-label={records.layout}>
          {layouts.map(({ layout, label, Icon }) => (
            <button
              key={layout}
              type="button"
              aria-label={label}
              title={label}
              aria-pressed={state.layout === layout}
              onClick={() => change({ layout }, true)}
            >
              <Icon size={14} aria-hidden="true" />
            </button>
          ))}
        </span>
      )}
      <More list={list} mayCreate={mayCreate} />
      {mayCreate && (
        <span className={styles.new}>
          <Button kind="main" icon={<Plus size={14} />} hint={keyText('c')} onClick={() => setNew(true)}>
            <span className={styles.newText}>{records.newOne(object.labelSingular)}</span>
          </Button>
        </span>
      )}
      {isNew && <NewRecord object={object} close={closeNew} />}
    </TopBar>
  );
}

function More({ list, mayCreate }: { list: List; mayCreate: boolean }) {
  const { records } = useTexts();
  const at = useRef<HTMLButtonElement>(null);
  const [button, setButton] = useState<HTMLButtonElement>();
  const [isRenaming, setRenaming] = useState(false);
  const { reader, permissions, userId } = useWorkspace();
  const mayDelete = (permissions[list.object.name]?.delete ?? 'none') !== 'none';
  if (!reader.isAdmin && !mayDelete && list.view?.owner !== userId) return undefined;
  return (
    <>
      <button
        ref={at}
        type="button"
        className={styles.more}
        aria-label={records.moreActions}
        aria-haspopup="menu"
        aria-expanded={button !== undefined}
        onClick={({ currentTarget }) => setButton(currentTarget)}
      >
        <Ellipsis size={16} aria-hidden="true" />
      </button>
      {button && (
        <ListMenu
          list={list}
          mayCreate={mayCreate}
          at={button}
          rename={() => setRenaming(true)}
          close={() => setButton(undefined)}
        />
      )}
      {isRenaming && list.view && (
        <Pop at={at} label={records.renameView} close={() => setRenaming(false)}>
          <RenameView view={list.view} close={() => setRenaming(false)} />
        </Pop>
      )}
    </>
  );
}
