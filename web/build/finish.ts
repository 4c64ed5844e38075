/**
 * Runs after the build: inserts the early script, writes a brotli copy of each file, and a stamp of the sources, by which a test
 * checks that they are built.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { addAhead } from './ahead.ts';
import { stampOfSources } from './stamp.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
await addAhead(dist);
const files = await readdir(dist, { recursive: true });
for (const file of files) {
  if (!/\.(js|css|html|svg)$/.test(file)) continue;
  const bytes = await readFile(join(dist, file));
  const packed = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await writeFile(join(dist, `${file}.br`), packed);
}
await writeFile(join(dist, 'stamp.txt'), `${await stampOfSources()}\n`);
