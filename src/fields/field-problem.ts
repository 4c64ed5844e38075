/** How a field's type refuses a value. In a file of its own because expressions throw it and field types hold expressions. */

/** Why a value was refused; becomes one of the `field_errors`. The message has no field name in it: "must be …". */
export class FieldProblem extends Error {
  readonly availableValues: readonly string[] | undefined;
  constructor(message: string, availableValues?: readonly string[]) {
    super(message);
    this.availableValues = availableValues;
  }
}

/** Throws FieldProblem for a key that is none of `known`, nor of `silent`, which are taken as well and not told of. */
export function refuseOtherKeys(value: object, known: readonly string[], silent: readonly string[] = []): void {
  const extra = Object.keys(value).find((key) => !known.includes(key) && !silent.includes(key));
  if (extra !== undefined) throw new FieldProblem(`has an unknown key ${JSON.stringify(extra)}`, known);
}
