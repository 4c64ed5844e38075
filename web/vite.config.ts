import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What changes less often than the application; browsers keep it over releases. */
const libraries = /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/;

const service = process.env['KITH_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/',
  plugins: [react()],
  // While somebody works on it: everything but the application itself is the service's.
  server: { proxy: { '^/(api|docs|signin|signout|settings|demo)': service } },
  build: {
    target: 'es2024',
    // Those that know light-dark(): theme.css of the service has it as it is, and the two go together.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true, // a test holds the sizes of what each page needs
    assetsInlineLimit: 0, // the policy of the page allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'libraries', test: libraries }] } },
    },
  },
});
