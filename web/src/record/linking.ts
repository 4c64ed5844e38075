/** Adds and removes links between related records and the shown one. */
import { isUnreachable, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import { changeLinks } from '../values/links.ts';
import { leadingTo, type Way } from './related.ts';

/** Links a record of `way`, or removes its link. */
export function useLinking({ from, field }: Way, object: string, id: string) {
  const { record: texts, shell } = useTexts();
  const write = async (other: string, isLinked: boolean, text: string) => {
    try {
      const notice = { text };
      if (field.type === 'MANY_TO_MANY') {
        const [before, after] = isLinked ? [[], [id]] : [[id], []];
        await changeLinks({ object: from.name, id: other, field: field.name, before, after, notice, shell });
      } else {
        const value = isLinked ? leadingTo(field, object, id) : null;
        await written(kith.records.update(from.name, other, { [field.name]: value }), notice, shell);
      }
    } catch (error) {
      toast({ text: isUnreachable(error) ? shell.offline : messageOf(error), isBad: true });
    }
    await Promise.all([from.name, object].map((name) => queries.invalidateQueries({ queryKey: keys.object(name) })));
  };
  return {
    link: (other: string, name: string) => write(other, true, texts.linked(name)),
    unlink: (other: string, name: string) => write(other, false, texts.unlinkedFrom(name)),
  };
}
