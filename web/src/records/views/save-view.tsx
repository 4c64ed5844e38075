import { useState } from 'react';
import { kith, messageOf } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { written } from '../../app/changes.ts';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Pop } from '../../ui/pop.tsx';
import type { List } from '../use-list.ts';
import { usePop } from '../use-pop.ts';
import { keptOf } from './use-views.ts';
import { ViewForm } from './view-form.tsx';

/** Actions on a changed list: reset it, save it in its view, or save it as a new one. Nothing is saved automatically. */
export function SaveView({ list }: { list: List }) {
  const texts = useTexts();
  const { reader, userId } = useWorkspace();
  const { at, isOpen, open, close } = usePop();
  const { view, isChanged, state, reset, show } = list;
  if (!isChanged) return undefined;
  const { records } = texts;
  const isOwn = view !== undefined && (view.owner === userId || (view.is_shared && reader.isAdmin));
  const save = async () => {
    if (!view) return;
    try {
      await written(kith.views.update(view.id, keptOf(state)), { text: records.viewSaved(view.name) }, texts.shell);
      await queries.invalidateQueries({ queryKey: keys.views(list.object.name) });
      show(view.id);
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return (
    <>
      <Button kind="bare" onClick={reset}>
        {records.reset}
      </Button>
      {isOwn && <Button onClick={() => void save()}>{records.saveView}</Button>}
      <Button ref={at} aria-haspopup="dialog" onClick={open}>
        {isOwn ? records.saveAsNew : records.saveView}
      </Button>
      {isOpen && (
        <Pop at={at} label={records.saveAsNew} close={close}>
          <NewView list={list} close={close} />
        </Pop>
      )}
    </>
  );
}

function NewView({ list, close }: { list: List; close: () => void }) {
  const { records, shell } = useTexts();
  const { reader } = useWorkspace();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = async (wanted: string) => {
    const body = { object_name: list.object.name, name: wanted, is_shared: isShared, ...keptOf(list.state) };
    const made = await written(kith.views.create(body), { text: records.viewSaved(wanted) }, shell);
    await queries.invalidateQueries({ queryKey: keys.views(list.object.name) });
    close();
    list.show(made.id);
  };
  return (
    <ViewForm name={name} setName={setName} label={records.saveAsNew} save={save}>
      {reader.isAdmin && (
        <label>
          <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />
          {records.sharedView}
        </label>
      )}
    </ViewForm>
  );
}
