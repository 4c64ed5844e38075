import { useState } from 'react';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { written } from '../../app/changes.ts';
import { useTexts } from '../../i18n/language.tsx';
import type { View } from './use-views.ts';
import { ViewForm } from './view-form.tsx';

/** Renames a view. */
export function RenameView({ view, close }: { view: View; close: () => void }) {
  const { records, shell } = useTexts();
  const [name, setName] = useState(view.name);
  const save = async (wanted: string) => {
    await written(kith.views.update(view.id, { name: wanted }), { text: records.viewRenamed(wanted) }, shell);
    await queries.invalidateQueries({ queryKey: keys.views(view.object_name) });
    close();
  };
  return <ViewForm name={name} setName={setName} label={records.renameView} save={save} />;
}
