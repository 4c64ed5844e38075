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
import styles from './views.module.css';

/** What can be done with a changed list: put it back, keep it in its view, or keep it as another. Never by itself. */
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
  const texts = useTexts();
  const { reader } = useWorkspace();
  const { records } = texts;
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const save = async () => {
    const body = { object_name: list.object.name, name: name.trim(), is_shared: isShared, ...keptOf(list.state) };
    try {
      const made = await written(kith.views.create(body), { text: records.viewSaved(name) }, texts.shell);
      await queries.invalidateQueries({ queryKey: keys.views(list.object.name) });
      close();
      list.show(made.id);
    } catch (error) {
      setWrong(messageOf(error));
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        type="text"
        autoFocus
        required
        maxLength={200}
        aria-label={records.viewName}
        placeholder={records.viewName}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {reader.isAdmin && (
        <label>
          <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />
          {records.sharedView}
        </label>
      )}
      {wrong !== undefined && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      <Button kind="main" type="submit" disabled={name.trim() === ''}>
        {records.saveAsNew}
      </Button>
    </form>
  );
}
