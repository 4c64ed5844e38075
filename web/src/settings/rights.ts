/** A role's rights as text, from a manifest's roles or from the caller's own permissions. */
import type { SettingTexts } from '../i18n/setting-catalogue.ts';
import type { FilterGroup } from '../../../client/index.js';
import type { Field, ObjectShape, Permission } from '../api/workspace.ts';
import type { Formats } from '../i18n/formats.ts';
import { nodeWords, type FilterLabels } from '../records/filter/words.ts';

/** A role's rights on an object's records; each is a phrase, '' if it has none. */
export interface Rights {
  readonly view: string;
  readonly create: string;
  readonly update: string;
  readonly delete: string;
  readonly fields: string;
}

type Rows = 'all' | 'own' | 'none' | FilterGroup;

/** A role's rights on an object in a manifest. */
interface Entry {
  readonly view?: Rows;
  readonly create?: boolean;
  readonly update?: Rows;
  readonly delete?: Rows;
  readonly fields?: Readonly<Record<string, 'none' | 'read' | 'write'>>;
}

/** A role in a manifest. */
export interface Role {
  readonly name: string;
  readonly isAdmin?: boolean;
  readonly permissions?: Readonly<Record<string, Entry>>;
}

export interface Wording {
  readonly texts: SettingTexts['roles'];
  readonly formats: Pick<Formats, 'list'>;
  readonly filterLabels: FilterLabels;
}

/** The rights from a role's `permissions` in a manifest: an object's entry overrides that of `*`, key by key. */
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

/** The rights from `me/permissions` on an object, which does not contain what is hidden. */
export function ownRights(permission: Permission, { fields }: ObjectShape, wording: Wording): Rights {
  const { texts } = wording;
  const rows = (extent: 'all' | 'some' | 'none') => (extent === 'none' ? '' : texts.rows[extent]);
  // A field that is read-only for everybody is no restriction of the role.
  const onlyRead = fields.filter(({ name, isReadonly }) => permission.fields[name] === 'read' && !isReadonly);
  return {
    view: rows(permission.view),
    create: permission.create ? texts.yes : '',
    update: rows(permission.update),
    delete: rows(permission.delete),
    fields: fieldsInWords([], onlyRead, wording),
  };
}

function rowsInWords(rule: Rows | undefined, { texts, filterLabels }: Wording): string {
  if (rule === undefined || rule === 'none') return '';
  if (rule === 'all' || rule === 'own') return texts.rows[rule];
  if (rule.conditions.length === 0) return rule.type === 'OR' ? '' : texts.rows.all;
  return texts.where(nodeWords(rule, filterLabels));
}

function fieldsInWords(hidden: readonly Field[], onlyRead: readonly Field[], { texts, formats }: Wording): string {
  const labels = (fields: readonly Field[]) => formats.list(fields.map(({ label }) => label));
  return [
    ...(hidden.length > 0 ? [texts.hidden(labels(hidden))] : []),
    ...(onlyRead.length > 0 ? [texts.onlyRead(labels(onlyRead))] : []),
  ].join('; ');
}
