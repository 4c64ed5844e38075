/** Texts of settings, loaded with the first of their pages to keep the first view small. */
import type { Catalogue } from './catalogue.ts';
import * as access from './de/access.ts';
import * as accounts from './de/accounts.ts';
import * as organization from './de/organization.ts';
import { useLanguage, useTexts } from './language.tsx';
import type { Language } from './languages.ts';
import { englishSettings, type SettingTexts } from './setting-catalogue.ts';

const german: SettingTexts = { ...access, ...accounts, ...organization };

const texts: Readonly<Record<Language, SettingTexts>> = { en: englishSettings, de: german };

/** All texts, including those of settings. */
export function useSettingTexts(): Catalogue & SettingTexts {
  const { language } = useLanguage();
  return { ...useTexts(), ...texts[language] };
}
