/** What was typed where it can no longer be saved: it stays in sight until it is copied or put away. */
import { KithError } from '../../../client/index.js';
import { keys, queries } from '../api/queries.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { toast } from '../ui/toasts.tsx';

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

/** Whether the service refused the field itself: it is gone, or may not be written any more. Then the workspace is asked for anew. */
export function isFieldGone(error: unknown, name: string): boolean {
  if (!(error instanceof KithError) || error.status !== 400) return false;
  const { fieldErrors, availableValues } = error;
  const isGone =
    fieldErrors.some(({ field }) => field === name) && availableValues.length > 0 && !availableValues.includes(name);
  if (isGone) void queries.invalidateQueries({ queryKey: keys.workspace });
  return isGone;
}
