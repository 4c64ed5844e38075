/** What goes wrong with the command line. The database has two organizations, Acme and Globex; `contacts.csv` is a file. */
interface Typed {
  /** What somebody did. */
  readonly who: string;
  readonly args: readonly string[];
}

const acme = ['--org', 'Acme'];

export const commandLine: readonly Typed[] = [
  { who: 'misspells a command', args: ['imprt'] },
  { who: 'names no verb', args: ['token'] },
  { who: 'names a verb that is none', args: ['org', 'remove'] },
  { who: 'misspells a flag', args: ['org', 'list', '--jsn'] },
  { who: 'gives a flag without its value', args: ['org', 'create', '--name'] },
  { who: 'makes an organization without an admin', args: ['org', 'create', '--name', 'Initech'] },
  { who: 'does not say which organization', args: ['user', 'list'] },
  { who: 'names an organization that is nowhere', args: ['user', 'list', '--org', 'Acmee'] },
  { who: 'makes a token for nobody', args: ['token', 'create', ...acme, '--email', 'nobody@acme.test', '--name', 'x'] },
  {
    who: 'makes a user with a role that is nowhere',
    args: ['user', 'create', ...acme, '--name', 'Bob', '--email', 'bob@acme.test', '--role', 'Reader'],
  },
  {
    who: 'misspells a role',
    args: ['user', 'create', ...acme, '--name', 'Bob', '--email', 'bob@acme.test', '--role', 'Membr'],
  },
  { who: 'imports without a file', args: ['import', ...acme, '--object', 'contacts'] },
  { who: 'imports a file that is nowhere', args: ['import', ...acme, '--object', 'contacts', '--file', 'nowhere.csv'] },
  { who: 'imports a folder', args: ['import', ...acme, '--object', 'contacts', '--file', 'folder'] },
  {
    who: 'imports into an object that is nowhere',
    args: ['import', ...acme, '--object', 'leads', '--file', 'contacts.csv'],
  },
  { who: 'imports a spreadsheet', args: ['import', ...acme, '--object', 'contacts', '--file', 'contacts.xlsx'] },
  { who: 'exports as a format that is none', args: ['export', ...acme, '--object', 'contacts', '--format', 'xls'] },
  {
    who: 'exports over a file that is there',
    args: ['export', ...acme, '--object', 'contacts', '--file', 'contacts.csv'],
  },
  {
    who: 'exports into a folder that is nowhere',
    args: ['export', ...acme, '--object', 'contacts', '--file', 'nowhere/contacts.csv'],
  },
  { who: 'lists records of nothing', args: ['record', 'list', ...acme] },
  { who: 'lists a page of words', args: ['record', 'list', 'contacts', ...acme, '--limit', 'many'] },
  { who: 'gets a record by a name', args: ['record', 'get', 'contacts', 'Ada', ...acme] },
  { who: 'creates a field that is nowhere', args: ['record', 'create', 'contacts', 'frist_name=Ada', ...acme] },
  { who: 'creates without values', args: ['record', 'create', 'contacts', ...acme] },
  {
    who: 'updates a record whose id is a variable that is not set',
    args: ['record', 'update', 'contacts', 'first_name=Eva', ...acme],
  },
  { who: 'gives an id that is empty', args: ['record', 'get', 'contacts', '', ...acme] },
  {
    who: 'asks who may delete, and not what',
    args: ['explain', ...acme, '--user', 'ada@acme.test', '--object', 'contacts', '--action', 'delete'],
  },
  { who: 'applies a file that is nowhere', args: ['apply', ...acme, '--file', 'nowhere.yaml'] },
  { who: 'plans a file with a slip', args: ['plan', ...acme, '--file', 'slip.yaml'] },
  { who: 'deletes an organization without its name', args: ['org', 'delete', ...acme] },
  { who: 'restores what is no backup', args: ['restore', '--file', 'contacts.csv'] },
];
