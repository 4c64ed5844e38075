/** How the rows of a file are taken: what becomes of bad cells, of names that name nothing, and of rows that are there already. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { FieldsToCome } from './executing/fields-to-come.ts';
import type { Lookup } from './mapping/entry.ts';

/** What becomes of a row that is a record already. */
export const duplicateStrategies = ['create', 'update', 'skip'] as const;
export type DuplicateStrategy = (typeof duplicateStrategies)[number];

export interface Handling {
  /** `empty`: a cell that an optional field cannot take leaves it empty, with a warning. `fail`: its row does not come in. */
  readonly badCells: 'fail' | 'empty';
  /** Fields that nobody has said a column goes to: a cell that one of these cannot take leaves it empty in any case. */
  readonly guessed: ReadonlySet<string>;
  /** How named records are found, by the name of the field; by what they are called unless told. */
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly strategy: DuplicateStrategy;
  /** A row is a record that has its value of one of these. */
  readonly matchFields: readonly FieldDef[];
  /** Fields that are tried before they are made. */
  readonly toCome?: FieldsToCome;
}

/** That of the specified import and of a batch. */
export const usually: Handling = {
  badCells: 'fail',
  guessed: new Set(),
  lookups: new Map(),
  strategy: 'create',
  matchFields: [],
};

/** A contact has to have one of these: nobody would find it again otherwise. */
export const findable: readonly string[] = ['first_name', 'last_name', 'emails', 'phones'];

/** Why a row without any of them does not come in. */
export const namelessContact = 'a contact needs a name, an e-mail address or a phone number';

/** Whether the object's rows are contacts, of which each has to have one of `findable`. */
export function namesPeople({ kind, name }: ObjectDef): boolean {
  return kind === 'builtIn' && name === 'contacts';
}
