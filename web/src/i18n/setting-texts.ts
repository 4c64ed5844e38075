/** Texts of the settings, which come with the first of their pages: the first view does without them. */
import type { Catalogue, Widened } from './catalogue.ts';
import * as access from './de/access.ts';
import * as accounts from './de/accounts.ts';
import * as organization from './de/organization.ts';
import * as englishAccess from './en/access.ts';
import * as englishAccounts from './en/accounts.ts';
import * as englishOrganization from './en/organization.ts';
import { useLanguage, useTexts } from './language.tsx';
import type { Language } from './languages.ts';

const english = { ...englishAccess, ...englishAccounts, ...englishOrganization };
const german: SettingTexts = { ...access, ...accounts, ...organization };

export type SettingTexts = Widened<typeof english>;

const texts: Readonly<Record<Language, SettingTexts>> = { en: english, de: german };

/** Every text in the reader's language, with those of the settings. */
export function useSettingTexts(): Catalogue & SettingTexts {
  const { language } = useLanguage();
  return { ...useTexts(), ...texts[language] };
}
