import { Ellipsis, Plus, SquareKanban, Table2 } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Popover } from 'react-aria-components/Popover';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import menus from '../ui/menu.module.css';
import { toast } from '../ui/toasts.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import styles from './list-page.module.css';
import type { List } from './use-list.ts';
import { ViewTabs } from './views/view-tabs.tsx';

const NewRecord = lazy(async () => ({ default: (await import('./new-record.tsx')).NewRecord }));

/** The bar at the top: views, layout, what else there is, and a new record. */
export function ListTop({ list, total }: { list: List; total: number | undefined }) {
  const { records } = useTexts();
  const { permissions } = useWorkspace();
  const { object, state, change } = list;
  const [isNew, setNew] = useState(false);
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
              <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
            </button>
          ))}
        </span>
      )}
      <More list={list} mayCreate={mayCreate} />
      {mayCreate && (
        <span className={styles.new}>
          <Button
            kind="main"
            icon={<Plus size={14} strokeWidth={1.5} />}
            hint={keyText('c')}
            onClick={() => setNew(true)}
          >
            <span className={styles.newText}>{records.newOne(object.labelSingular)}</span>
          </Button>
        </span>
      )}
      <Suspense>{isNew && <NewRecord object={object} close={() => setNew(false)} />}</Suspense>
    </TopBar>
  );
}

function More({ list, mayCreate }: { list: List; mayCreate: boolean }) {
  const texts = useTexts();
  const { userId, reader, permissions } = useWorkspace();
  const navigate = useNavigate();
  const { object, view } = list;
  const { records } = texts;
  const item = menus.item ?? '';
  const mayDeleteView = view !== undefined && (view.owner === userId || (view.is_shared && reader.isAdmin));
  const removeView = async () => {
    if (!view) return;
    try {
      await written(kith.views.delete(view.id), { text: records.viewDeleted(view.name) }, texts.shell);
      await queries.invalidateQueries({ queryKey: keys.views(object.name) });
      list.show(undefined);
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return (
    <MenuTrigger>
      <AriaButton className={styles.more ?? ''} aria-label={records.moreActions}>
        <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
      </AriaButton>
      <Popover className={menus.popover ?? ''} placement="bottom end">
        <Menu className={menus.menu ?? ''} aria-label={records.moreActions}>
          {mayCreate && (
            <MenuItem
              id="import"
              className={item}
              onAction={() => void navigate({ to: '/import', search: { object: object.name } as never })}
            >
              {records.import}
            </MenuItem>
          )}
          {(permissions[object.name]?.delete ?? 'none') !== 'none' && (
            <MenuItem
              id="trash"
              className={item}
              onAction={() => void navigate({ to: '/r/$object/trash', params: { object: object.name } })}
            >
              {records.trash}
            </MenuItem>
          )}
          {mayDeleteView && (
            <MenuItem id="view" className={item} onAction={() => void removeView()}>
              {records.deleteView}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
