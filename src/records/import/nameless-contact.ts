/** Contacts that an import refuses, since nobody would find them again. */
import type { ObjectDef } from '../../model/model.ts';

/** A contact has to have one of these: nobody would find it again otherwise. */
export const findable: readonly string[] = ['first_name', 'last_name', 'emails', 'phones'];

/** Why a row without any of them does not come in. */
export const namelessContact = 'a contact needs a name, an e-mail address or a phone number';

/** Whether the object's rows are contacts, of which each has to have one of `findable`. */
export function namesPeople({ kind, name }: ObjectDef): boolean {
  return kind === 'builtIn' && name === 'contacts';
}
