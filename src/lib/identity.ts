/** Objects as parts of a text key. */
const numbers = new WeakMap<object, number>();
let last = 0;

/** A number unique to the object within this process. */
export function identityOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = ++last));
  return number;
}
