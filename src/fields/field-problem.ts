/** How a field's type refuses a value. In a file of its own because expressions throw it and field types hold expressions. */

/** Why a value was refused; becomes one of the `field_errors`. The message has no field name in it: "must be …". */
export class FieldProblem extends Error {
  readonly availableValues: readonly string[] | undefined;
  constructor(message: string, availableValues?: readonly string[]) {
    super(message);
    this.availableValues = availableValues;
  }
}
