/** The generated files of the client. */
import { clientMethods } from './methods.ts';
import { tableText } from './table.ts';
import { typesText } from './types.ts';

/** Their texts, by path in `client`. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const methods = clientMethods();
  return new Map([
    ['generated/operations.js', tableText(methods)],
    ['generated/types.d.ts', typesText(methods)],
  ]);
}
