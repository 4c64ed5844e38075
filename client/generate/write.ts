/** `npm run client`: regenerates the generated part of the client. */
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './files.ts';

for (const [path, text] of generatedFiles()) writeFileSync(new URL(`../${path}`, import.meta.url), text);
