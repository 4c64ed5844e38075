import { useNavigate } from '@tanstack/react-router';
import { exportList } from './export-list.ts';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Menu, type MenuAction } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';
import type { List } from './use-list.ts';

interface ListMenuProps {
  readonly list: List;
  readonly mayCreate: boolean;
  readonly at: HTMLElement;
  /** Opens the form that renames the view. */
  readonly rename: () => void;
  readonly close: () => void;
}

/** Further actions of a list: import, trash, and its view. */
export function ListMenu({ list, mayCreate, at, rename, close }: ListMenuProps) {
  const texts = useTexts();
  const { userId, reader, permissions } = useWorkspace();
  const navigate = useNavigate();
  const { object, view } = list;
  const { records } = texts;
  const mayChangeView = view !== undefined && (view.owner === userId || (view.is_shared && reader.isAdmin));
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
  const actions: MenuAction[] = [];
  if (mayCreate && reader.isAdmin) {
    const open = () => void navigate({ to: '/import', search: { object: object.name } });
    actions.push({ id: 'import', label: records.import, run: open });
  }
  if ((permissions[object.name]?.delete ?? 'none') !== 'none') {
    const open = () => void navigate({ to: '/r/$object/trash', params: { object: object.name } });
    actions.push({ id: 'trash', label: records.trash, run: open });
  }
  // An export takes no search text.
  if (reader.isAdmin && !list.query.search)
    actions.push({ id: 'export', label: records.export, run: () => void exportList(list, records) });
  if (mayChangeView) {
    actions.push({ id: 'rename', label: records.renameView, run: rename });
    actions.push({ id: 'view', label: records.deleteView, run: () => void removeView() });
  }
  return <Menu at={at} label={records.moreActions} actions={actions} close={close} />;
}
