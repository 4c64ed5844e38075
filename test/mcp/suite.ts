/** Where the suite of conformance lies, which is installed apart. */
import { fileURLToPath } from 'node:url';

/** Its program. */
export const suite = fileURLToPath(
  new URL('conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
