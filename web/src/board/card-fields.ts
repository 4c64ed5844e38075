import type { Field, ObjectShape } from '../api/workspace.ts';

/** The fields of a card: owner, amount, date. */
export interface CardFields {
  readonly name: string | undefined;
  readonly relation: Field | undefined;
  readonly amount: Field | undefined;
  readonly date: Field | undefined;
  readonly owner: Field | undefined;
  readonly names: readonly string[];
}

/** The first visible field of each kind. */
export function cardFields({ fields }: ObjectShape, name: string | undefined): CardFields {
  const first = (type: Field['type']) => fields.find((field) => field.type === type);
  const relation = first('RELATION');
  const amount = first('CURRENCY');
  const date = first('DATE');
  const owner = fields.find((field) => field.type === 'USERS' && field.name !== 'created_by');
  const names = [name, ...[relation, amount, date, owner].map((field) => field?.name)];
  return { name, relation, amount, date, owner, names: names.filter((one): one is string => one !== undefined) };
}
