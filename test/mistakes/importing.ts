/** What goes wrong with imports, exports and manifests. */
import type { Mistake } from './mistake.ts';

const manifest = (who: string, body: unknown): Mistake => ({ who, send: 'POST /manifest', body });
const object = (who: string, given: object): Mistake => manifest(who, { objects: [given] });
const withField = (who: string, field: unknown): Mistake =>
  object(who, {
    name: 'projects',
    fields: [{ name: 'name', type: 'TEXT' }, { name: 'budget', type: 'NUMBER' }, field],
  });
const calculated = (expression: string) => ({
  name: 'total',
  type: 'CALCULATED',
  calculation: { expression, outputType: 'NUMBER' },
});
const role = (who: string, permissions: object): Mistake => manifest(who, { roles: [{ name: 'Rep', permissions }] });

export const importing: readonly Mistake[] = [
  { who: 'imports a bare list', send: 'POST /import/contacts', body: [{ first_name: 'Ada' }] },
  { who: 'imports an empty object', send: 'POST /import/contacts', body: {} },
  { who: 'imports rows', send: 'POST /import/contacts', body: { rows: [] } },
  { who: 'imports records of null', send: 'POST /import/contacts', body: { records: null } },
  { who: 'imports one record', send: 'POST /import/contacts', body: { records: { first_name: 'Ada' } } },
  { who: 'imports texts', send: 'POST /import/contacts', body: { records: ['Ada'] } },
  { who: 'imports into an object that is nowhere', send: 'POST /import/invoices', body: { records: [{}] } },
  {
    who: 'imports too many',
    send: 'POST /import/contacts',
    body: { records: Array.from({ length: 10_001 }, () => ({})) },
  },
  { who: 'exports an old spreadsheet', send: 'GET /export/contacts?format=xls' },
  { who: 'exports CSV in capitals', send: 'GET /export/contacts?format=CSV' },
  { who: 'exports all by a limit of words', send: 'GET /export/contacts?limit=all' },
  { who: 'exports more than the most', send: 'GET /export/contacts?limit=1000000' },
  { who: 'exports a field that is nowhere', send: 'GET /export/contacts?fields=email' },
  { who: 'exports an object that is nowhere', send: 'GET /export/deals' },
  { who: 'exports with a filter that is no JSON', send: 'GET /export/contacts?filters=title' },
  manifest('applies nothing', ''),
  manifest('applies a list', []),
  manifest('says which version it is', { version: 1, objects: [] }),
  manifest('misspells a part', { object: [] }),
  manifest('says tables for objects', { tables: [] }),
  manifest('puts objects under their names', { objects: { projects: { fields: [] } } }),
  object('forgets the name of an object', { fields: [{ name: 'name', type: 'TEXT' }] }),
  object('names an object with a capital', { name: 'Projects' }),
  object('names an object with a dash', { name: 'my-projects' }),
  object('names an object as one that is taken', { name: 'users' }),
  object('puts fields under their names', { name: 'projects', fields: { name: 'TEXT' } }),
  withField('writes fields as texts', 'code'),
  withField('forgets the type', { name: 'code' }),
  withField('says string', { name: 'code', type: 'string' }),
  withField('says text', { name: 'code', type: 'text' }),
  withField('says VARCHAR', { name: 'code', type: 'VARCHAR' }),
  withField('says ENUM', { name: 'state', type: 'ENUM' }),
  withField('says LOOKUP', { name: 'company', type: 'LOOKUP' }),
  withField('says CHECKBOX', { name: 'done', type: 'CHECKBOX' }),
  withField('says FORMULA', { name: 'total', type: 'FORMULA' }),
  withField('says required', { name: 'code', type: 'TEXT', required: true }),
  withField('says unique', { name: 'code', type: 'TEXT', unique: true }),
  withField('says default', { name: 'code', type: 'TEXT', default: 'A' }),
  withField('forgets the options', { name: 'state', type: 'SELECT' }),
  withField('writes options as texts', { name: 'state', type: 'SELECT', options: ['open', 'done'] }),
  withField('forgets where a relation points', { name: 'company', type: 'RELATION' }),
  withField('says target', { name: 'company', type: 'RELATION', target: 'companies' }),
  withField('points to an object that is nowhere', {
    name: 'invoice',
    type: 'RELATION',
    relationConfig: { targetObjectName: 'invoices' },
  }),
  withField('writes an expression without calculation', {
    name: 'total',
    type: 'CALCULATED',
    expression: 'budget * 2',
  }),
  withField('computes with what is nowhere', calculated('price * count')),
  withField('computes with a slip', calculated('budget *')),
  withField('computes with a function that is nowhere', calculated('sqrt(budget)')),
  withField('names a field as one that is there', { name: 'created_at', type: 'TEXT' }),
  withField('gives a default that does not fit', { name: 'count', type: 'INTEGER', defaultValue: 'many' }),
  withField('names the same field twice', { name: 'budget', type: 'TEXT' }),
  object('removes a field that has values', { name: 'contacts', fields: [{ name: 'first_name', absent: true }] }),
  object('removes a built-in object', { name: 'contacts', absent: true }),
  role('gives rights on what is nowhere', { invoices: { view: 'all' } }),
  role('gives a right that is none', { contacts: { view: 'everything' } }),
  role('says read for view', { contacts: { read: 'all' } }),
  role('hides a field that is nowhere', { contacts: { view: 'all', fields: { email: 'none' } } }),
];
