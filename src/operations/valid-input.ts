/** The input of an operation against its schema, and what a caller is told when it does not fit. */
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { propertiesOf } from '../describe/places.ts';
import { errors, type KithError, quoted, shortened, type FieldError } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Operation } from './operation.ts';

const compiled = new WeakMap<TSchema, Validator>();

/** Throws MISSING_REQUIRED_FIELD for an input that is absent, VALIDATION_ERROR with every problem otherwise. */
export function validInput<Input extends TSchema>(operation: Operation<Input>, input: unknown): Static<Input> {
  let validator = compiled.get(operation.input);
  if (!validator) compiled.set(operation.input, (validator = Compile(operation.input)));
  if (validator.Check(input)) return input as Static<Input>;
  throw explain(validator, operation.input, input);
}

function explain(validator: Validator, schema: TSchema, input: unknown): KithError {
  const problems: FieldError[] = [];
  for (const error of validator.Errors(input)) {
    if (error.keyword === 'required') {
      const [missing] = error.params.requiredProperties;
      return errors.missingField(`${pathOf(error.instancePath)}${missing ?? ''}`);
    }
    if (error.keyword === 'additionalProperties') {
      const known = Object.keys(propertiesOf(schema));
      for (const name of error.params.additionalProperties) {
        problems.push({
          field: shortened(name),
          message: `${quoted(name)} is not known here${didYouMean(name, known)}`,
        });
      }
    } else if (error.keyword !== 'boolean' && error.keyword !== 'anyOf') {
      const field = pathOf(error.instancePath).slice(0, -1) || 'body';
      problems.push({ field, message: `${field} ${error.message}` });
    }
  }
  const [first] = problems;
  return errors.validation(first?.message ?? 'The request has another shape than expected', problems);
}

/** `/records/0/id` as `records.0.id.` */
function pathOf(pointer: string): string {
  return pointer === '' ? '' : `${pointer.slice(1).replaceAll('/', '.')}.`;
}
