/** What was typed where it can no longer be saved: it stays in sight until it is copied or put away. */
import { fieldErrorsOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Workspace } from '../api/workspace.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { toast } from '../ui/toasts.tsx';
import { lockOf } from '../values/editable.ts';

/** Offers the text to be copied; of a value that was chosen, what it is called. */
export function leftOver(label: string, typed: string, texts: Catalogue['shell']): void {
  const told = { text: texts.leftOver(label), isBad: true };
  if (typed.trim() === '') return toast(told);
  const copy = () => {
    navigator.clipboard.writeText(typed).then(
      () => toast({ text: texts.copied }),
      () => toast({ ...told, detail: typed, isLasting: true }),
    );
  };
  toast({ ...told, detail: typed, isLasting: true, action: { label: texts.copy, run: copy } });
}

/**
 * Whether the service refused the field itself: it is gone, or may not be written any more. Whenever it refuses a value, fields or
 * options may have changed: the workspace is asked for anew, and tells.
 */
export async function isFieldGone(error: unknown, object: string, name: string): Promise<boolean> {
  if (!fieldErrorsOf(error).some(({ field }) => field === name)) return false;
  await queries.invalidateQueries({ queryKey: keys.workspace });
  const workspace = queries.getQueryData<Workspace>(keys.workspace);
  const field = workspace?.objects.get(object)?.fields.find((one) => one.name === name);
  return workspace !== undefined && (!field || lockOf(field, workspace.permissions[object]) !== undefined);
}
