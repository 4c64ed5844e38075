/** One digest of everything that `dist` was built from. */
import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const made = ['index.html', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json', 'build', 'src'];
/** The service's client, which the application uses. */
const client = ['../client'];

/** The digest of all files that the build reads: names and contents, sorted by name. */
export async function stampOfSources(): Promise<string> {
  const digest = createHash('sha256');
  for (const path of (await Promise.all([...made, ...client].map(filesAt))).flat().toSorted()) {
    digest.update(`${path}\0`).update(await readFile(join(web, path)));
  }
  return digest.digest('hex');
}

/** The file itself, or the modules and styles below a folder, with `/` between names. */
async function filesAt(path: string): Promise<string[]> {
  if ((await stat(join(web, path))).isFile()) return [path];
  const names = await readdir(join(web, path), { recursive: true });
  return names.filter((name) => /\.(tsx?|js|css)$/.test(name)).map((name) => `${path}/${name.replaceAll('\\', '/')}`);
}
