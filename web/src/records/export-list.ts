import { kith, messageOf } from '../api/kith.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toasts.tsx';
import type { List } from './use-list.ts';

/** Most records per export. */
const most = 10_000;

/** Saves the list as a CSV file; says so if it was cut off. */
export async function exportList({ object, query, fields }: List, texts: Catalogue['records']): Promise<void> {
  const [sort] = query.sort ?? [];
  try {
    const file = await kith.records.exportFile(object.name, {
      format: 'csv',
      limit: most,
      fields,
      ...(query.filters && { filters: query.filters }),
      ...(sort && { sort_by: sort.field, sort_dir: sort.direction }),
    });
    const total = Number(file.headers.get('x-total-count'));
    await saveFile(file, `${object.name}.csv`);
    if (total > most) toast({ text: texts.exportedFirst(most, total) });
  } catch (error) {
    toast({ text: messageOf(error), isBad: true });
  }
}
