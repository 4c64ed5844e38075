/** The pages of settings, for their list, the palette and the router. */
import type { Catalogue } from '../i18n/catalogue.ts';

export type SettingPage = keyof Catalogue['settings']['pages'];

interface Group {
  readonly name: keyof Catalogue['settings']['groups'];
  readonly pages: readonly SettingPage[];
}

const groups: readonly Group[] = [
  { name: 'you', pages: ['you', 'keyboard', 'accounts'] },
  { name: 'access', pages: ['tokens', 'apps'] },
  { name: 'organization', pages: ['organization', 'people', 'roles', 'audit'] },
];

/** The pages that the reader has, in groups: the audit is for admins. */
export function settingGroups(isAdmin: boolean): readonly Group[] {
  return groups.map(({ name, pages }) => ({ name, pages: pages.filter((page) => isAdmin || page !== 'audit') }));
}
