import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What changes less often than the application; browsers keep it over releases. */
const libraries = /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](?!react-virtual|virtual))/;

/** What many pages have in common and the frame does without: one file is fetched sooner than twenty. */
const parts =
  /src[\\/](api[\\/]use-|ui[\\/](?!failure|button|toasts|empty|top-bar|avatar)|values|app[\\/](use-|direction|later)|records[\\/](words|filter[\\/]words))|@tanstack[\\/](react-virtual|virtual)/;
const service = process.env['KITH_URL'] ?? 'http://127.0.0.1:3000';

const shortNames = new Map<string, string>();

/** Names of classes without those of their files: long ones would be a fortieth of all that is sent. */
function shortName(name: string, file: string): string {
  const whole = `${relative(import.meta.dirname, file)} ${name}`;
  const short = `_${createHash('sha256').update(whole).digest('base64url').slice(0, 4)}`;
  const taken = shortNames.get(short) ?? whole;
  if (taken !== whole) throw new Error(`${whole} and ${taken} have the same short name: call one of them otherwise`);
  shortNames.set(short, whole);
  return short;
}

export default defineConfig({
  base: '/',
  plugins: [react()],
  // While somebody works on it: everything but the application itself is the service's.
  server: { proxy: { '^/(api|docs|signin|signout|demo)': service } },
  css: { modules: { generateScopedName: shortName } },
  build: {
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // they know light-dark(), which is rewritten for others
    manifest: true, // a test holds the sizes of what each page needs
    assetsInlineLimit: 0, // the policy of the page allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: libraries },
            { name: 'parts', test: parts, minShareCount: 5 },
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
