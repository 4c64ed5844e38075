/** The files of the client that are made of the operations. */
import { clientMethods } from './methods.ts';
import { tableText } from './table.ts';
import { typesText } from './types.ts';

/** Their texts by their paths in `client`. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const methods = clientMethods();
  return new Map([
    ['generated/operations.js', tableText(methods)],
    ['generated/types.d.ts', typesText(methods)],
  ]);
}
