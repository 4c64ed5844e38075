import { useState, type SyntheticEvent } from 'react';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { written } from '../../app/changes.ts';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useWork } from '../../ui/use-work.ts';
import type { View } from './use-views.ts';
import styles from './views.module.css';

/** Another name for a view. */
export function RenameView({ view, close }: { view: View; close: () => void }) {
  const { records, shell } = useTexts();
  const [name, setName] = useState(view.name);
  const { isWorking, problem, run } = useWork();
  const save = async () => {
    const wanted = name.trim();
    await written(kith.views.update(view.id, { name: wanted }), { text: records.viewRenamed(wanted) }, shell);
    await queries.invalidateQueries({ queryKey: keys.views(view.object_name) });
    close();
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    void run(save);
  };
  return (
    <form className={styles.form} onSubmit={send}>
      <input
        type="text"
        autoFocus
        required
        maxLength={200}
        aria-label={records.viewName}
        value={name}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
      <Problem text={problem} />
      <Button kind="main" type="submit" isWorking={isWorking} disabled={name.trim() === ''}>
        {records.renameView}
      </Button>
    </form>
  );
}
