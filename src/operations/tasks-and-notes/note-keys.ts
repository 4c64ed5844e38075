/** The keys that a write to a note takes, and the errors for other keys. */
import type { Call } from '../../access/call.ts';
import { errors, Mistakes, quoted, shortened } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { ObjectDef } from '../../model/model.ts';
import { keysFor, type WrittenKeys } from './written-keys.ts';

const noteKeys: WrittenKeys = {
  content: 'content',
  entity_type: null,
  entity_id: null,
  linked_entities: null,
  mentioned_user_ids: null,
  data: 'visibility',
};

/** The keys that the caller may not write to a note. `entity_type` and `entity_id` are only for new notes. */
export function strangersIn(call: Call, object: ObjectDef, given: object, isNew: boolean): readonly string[] {
  const known = knownTo(call, object, isNew);
  return Object.keys(given).filter((key) => !known.includes(key));
}

/** Throws VALIDATION_ERROR for keys that no write takes, or that the caller may not write. */
export function refuseStrangers(call: Call, object: ObjectDef, names: readonly string[], isNew: boolean): void {
  const mistakes = new Mistakes();
  const known = knownTo(call, object, isNew);
  for (const name of names)
    mistakes.addUnknown(() => {
      const place = name === 'visibility' && known.includes('data') ? ': it goes into data' : '';
      const message = `${quoted(shortened(name))} is not known here${didYouMean(name, known) || place}`;
      return { field: shortened(name), message };
    });
  mistakes.refuse();
}

/** Throws MISSING_REQUIRED_FIELD for a new note without content, unless the content is hidden from the caller. */
export function requireContent(call: Call, object: ObjectDef, given: { readonly content?: unknown }): void {
  if ((given.content ?? null) !== null || !call.visibility.shows(object.name, 'content')) return;
  const slip = strangersIn(call, object, given, true).find((name) => didYouMean(name, ['content']) !== '');
  throw errors.missingField('content', slip === undefined ? '' : `${quoted(slip)} is not known here`);
}

function knownTo(call: Call, object: ObjectDef, isNew: boolean): readonly string[] {
  return keysFor(call, object, noteKeys).filter((key) => isNew || !key.startsWith('entity_'));
}
