/** Typed text that can no longer be saved stays visible until it is copied or dismissed. */
import { fieldErrorsOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Workspace } from '../api/workspace.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { toast } from '../ui/toasts.tsx';
import { lockOf } from '../values/editable.ts';

/** Offers the text to be copied; for a chosen value, its label. */
export function leftOver(label: string, typed: string, texts: Catalogue['shell']): void {
  const message = { text: texts.leftOver(label), isBad: true };
  if (typed.trim() === '') return toast(message);
  const copy = () => {
    navigator.clipboard.writeText(typed).then(
      () => toast({ text: texts.copied }),
      () => toast({ ...message, detail: typed, isLasting: true }),
    );
  };
  toast({ ...message, detail: typed, isLasting: true, action: { label: texts.copy, run: copy } });
}

/**
 * Whether the service refused the field itself: it is gone or no longer writable. A refused value may mean that fields or options
 * have changed, so the workspace is loaded again.
 */
export async function isFieldGone(error: unknown, object: string, name: string): Promise<boolean> {
  if (!fieldErrorsOf(error).some(({ field }) => field === name)) return false;
  await queries.invalidateQueries({ queryKey: keys.workspace });
  const workspace = queries.getQueryData<Workspace>(keys.workspace);
  const field = workspace?.objects.get(object)?.fields.find((one) => one.name === name);
  return workspace !== undefined && (!field || lockOf(field, workspace.permissions[object]) !== undefined);
}
