/** Reads and validates the fields of a list. */
import type { Call } from '../../access/call.ts';
import { errors, Mistakes, quoted } from '../../errors.ts';
import { mayHaveDefault, takesOptions } from '../../fields/abilities.ts';
import type { Option } from '../../fields/field-def.ts';
import { FieldProblem } from '../../fields/field-problem.ts';
import { fieldType } from '../../fields/registry.ts';
import { newId } from '../../lib/id.ts';
import type { Json } from '../../lib/json.ts';
import { labelProblem } from '../../lib/label.ts';
import { canonicalField } from '../../manifest/draft.ts';
import { fieldNameProblem, labelFor } from '../../manifest/names.ts';
import { buildField } from '../../model/build.ts';
import type { FieldDefinition, StoredField } from '../../model/definition.ts';
import { fieldError } from '../../records/writing/decode.ts';
import { listDecodeContext } from '../../records/lists/entry-values.ts';

/** An item of `fields`, as the schema validates it. */
export interface GivenField {
  readonly id?: string;
  readonly name: string;
  readonly label?: string;
  readonly type: FieldDefinition['type'];
  readonly isRequired?: boolean;
  readonly options?: readonly { readonly value: string; readonly label?: string; readonly color?: unknown }[] | null;
  readonly defaultValue?: unknown;
}

/** Characters of all field definitions of a list as JSON, since each read of an entry parses them. */
const mostCharacters = 50_000;
const longestDefault = 1_000;

/** The new fields of a list, merged with the existing ones. Throws VALIDATION_ERROR with all problems. */
export function mergedFields(
  call: Call,
  given: readonly GivenField[],
  stored: readonly StoredField[],
): readonly StoredField[] {
  const mistakes = new Mistakes();
  const fields = given.map((field, at) => {
    const merged = mergedField(field, stored, `fields.${at}`, mistakes);
    checkDefault(call, merged, mistakes);
    return merged;
  });
  for (const key of ['id', 'name'] as const) {
    const twice = fields.find((field, at) => fields.findIndex((other) => other[key] === field[key]) < at);
    if (twice) mistakes.add({ field: 'fields', message: `fields has the ${key} ${quoted(twice[key])} twice` });
  }
  mistakes.refuse();
  if (JSON.stringify(fields).length > mostCharacters)
    throw errors.validation(
      `fields can have at most ${mostCharacters.toLocaleString('en')} characters of JSON together`,
    );
  return fields;
}

/** The new field; absent keys keep their stored value. */
function mergedField(
  field: GivenField,
  stored: readonly StoredField[],
  place: string,
  mistakes: Mistakes,
): StoredField {
  const wrong = (key: string, message: string) =>
    mistakes.add({ field: `${place}.${key}`, message: `${place}.${key} ${message}` });
  const was = stored.find(({ id, name }) => (field.id === undefined ? name === field.name : id === field.id));
  if (field.id !== undefined && !was) wrong('id', 'is that of no field of the list');
  const { name, type, label, isRequired, options, defaultValue } = field;
  const problem = name === was?.name ? undefined : fieldNameProblem(name);
  if (problem !== undefined) wrong('name', problem);
  const hidden = label === undefined ? undefined : labelProblem(label);
  if (hidden !== undefined) wrong('label', hidden);
  const kept = was?.definition.type === type ? was.definition : undefined;
  const chosen = options === undefined ? kept?.options : options?.map(optionOf);
  if (takesOptions({ type }) && !chosen) wrong('options', `is required for ${type}`);
  if (!takesOptions({ type }) && chosen) wrong('options', `cannot be given for ${type}`);
  const labels = (chosen ?? []).flatMap((option) => [option.value, option.label]);
  const odd = labels.map(labelProblem).find((text) => text !== undefined);
  if (options && odd !== undefined) wrong('options', odd);
  if (new Set((chosen ?? []).map(({ value }) => value)).size < (chosen ?? []).length)
    wrong('options', 'must not have a value twice');
  const required = isRequired ?? kept?.isRequired ?? false;
  const usual = defaultValue === undefined ? kept?.defaultValue : (defaultValue as Json);
  const definition: FieldDefinition = {
    label: label ?? was?.definition.label ?? labelFor(name),
    type,
    isRequired: required,
    ...(chosen && { options: chosen }),
    ...(usual !== undefined && { defaultValue: usual }),
  };
  return { id: was?.id ?? newId(), name, definition: canonicalField(definition) };
}

function optionOf({ value, label, color }: NonNullable<GivenField['options']>[number]): Option {
  return { value, label: label ?? labelFor(value), ...(typeof color === 'string' && { color }) };
}

function checkDefault(call: Call, stored: StoredField, mistakes: Mistakes): void {
  const field = buildField(stored);
  const { defaultValue, name, type } = field;
  if (defaultValue === null) return;
  const wrong = (message: string) => mistakes.add({ field: name, message: `the defaultValue of ${name} ${message}` });
  if (!mayHaveDefault(field)) return wrong(`cannot be given for ${type}`);
  if (JSON.stringify(defaultValue).length > longestDefault)
    return wrong(`can have at most ${longestDefault.toLocaleString('en')} characters`);
  try {
    fieldType(type).decode(defaultValue, field, listDecodeContext(call));
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const { message } = fieldError('defaultValue', error);
    mistakes.add({ field: name, message: `${name}: ${message}` });
  }
}
