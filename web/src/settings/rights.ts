/** What a role may, in words: read from a manifest's roles, or from what a caller is told of its own. */
import type { SettingTexts } from '../i18n/setting-catalogue.ts';
import type { FilterGroup } from '../../../client/index.js';
import type { Field, ObjectShape, Permission } from '../api/workspace.ts';
import type { Formats } from '../i18n/formats.ts';
import { nodeWords, type Telling } from '../records/filter/words.ts';

/** What a role may do with an object's records; each is a phrase, and '' where it may not. */
export interface Rights {
  readonly view: string;
  readonly create: string;
  readonly update: string;
  readonly delete: string;
  readonly fields: string;
}

type Rows = 'all' | 'own' | 'none' | FilterGroup;

/** A role's rights on an object, as a manifest has them. */
interface Entry {
  readonly view?: Rows;
  readonly create?: boolean;
  readonly update?: Rows;
  readonly delete?: Rows;
  readonly fields?: Readonly<Record<string, 'none' | 'read' | 'write'>>;
}

/** A role of a manifest. */
export interface Role {
  readonly name: string;
  readonly isAdmin?: boolean;
  readonly permissions?: Readonly<Record<string, Entry>>;
}

export interface Wording {
  readonly texts: SettingTexts['roles'];
  readonly formats: Pick<Formats, 'list'>;
  readonly telling: Telling;
}

/** The rights of a role's `permissions` in a manifest: an object's entry goes before that of `*`, key by key. */
export function rightsIn(
  permissions: Readonly<Record<string, Entry>>,
  { name, fields }: ObjectShape,
  wording: Wording,
): Rights {
  const [own = {}, others = {}] = [permissions[name], permissions['*']];
  const access = { ...others.fields, ...own.fields };
  const having = (wanted: string) => fields.filter((field) => access[field.name] === wanted);
  const rows = (rule: Rows | undefined) => rowsInWords(rule, wording);
  return {
    view: rows(own.view ?? others.view),
    create: (own.create ?? others.create) === true ? wording.texts.yes : '',
    update: rows(own.update ?? others.update),
    delete: rows(own.delete ?? others.delete),
    fields: fieldsInWords(having('none'), having('read'), wording),
  };
}

/** The rights that `me/permissions` tells of an object. What is hidden is not told of. */
export function ownRights(told: Permission, { fields }: ObjectShape, wording: Wording): Rights {
  const { texts } = wording;
  const rows = (extent: 'all' | 'some' | 'none') => (extent === 'none' ? '' : texts.rows[extent]);
  // What nobody writes says nothing of the role.
  const onlyRead = fields.filter(({ name, isReadonly }) => told.fields[name] === 'read' && !isReadonly);
  return {
    view: rows(told.view),
    create: told.create ? texts.yes : '',
    update: rows(told.update),
    delete: rows(told.delete),
    fields: fieldsInWords([], onlyRead, wording),
  };
}

function rowsInWords(rule: Rows | undefined, { texts, telling }: Wording): string {
  if (rule === undefined || rule === 'none') return '';
  if (rule === 'all' || rule === 'own') return texts.rows[rule];
  if (rule.conditions.length === 0) return rule.type === 'OR' ? '' : texts.rows.all;
  return texts.where(nodeWords(rule, telling));
}

function fieldsInWords(hidden: readonly Field[], onlyRead: readonly Field[], { texts, formats }: Wording): string {
  const labels = (fields: readonly Field[]) => formats.list(fields.map(({ label }) => label));
  return [
    ...(hidden.length > 0 ? [texts.hidden(labels(hidden))] : []),
    ...(onlyRead.length > 0 ? [texts.onlyRead(labels(onlyRead))] : []),
  ].join('; ');
}
