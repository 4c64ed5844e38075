/** `npm run client`: writes the generated part of the client anew. */
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './files.ts';

for (const [path, text] of generatedFiles()) writeFileSync(new URL(`../${path}`, import.meta.url), text);
