/** Texts of the settings, which come with the first of their pages: the first view does without them. */
import type { Catalogue } from './catalogue.ts';
import * as access from './de/access.ts';
import * as accounts from './de/accounts.ts';
import * as organization from './de/organization.ts';
import { useLanguage, useTexts } from './language.tsx';
import type { Language } from './languages.ts';
import { englishSettings, type SettingTexts } from './setting-catalogue.ts';

const german: SettingTexts = { ...access, ...accounts, ...organization };

const texts: Readonly<Record<Language, SettingTexts>> = { en: englishSettings, de: german };

/** Every text in the reader's language, with those of the settings. */
export function useSettingTexts(): Catalogue & SettingTexts {
  const { language } = useLanguage();
  return { ...useTexts(), ...texts[language] };
}
