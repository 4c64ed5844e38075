/** The languages that there are. */
import { english, type Catalogue } from './catalogue.ts';

/** Languages, as they call themselves. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** The texts of a language; others than English come when they are asked for. */
export async function textsOf(language: Language): Promise<Catalogue> {
  if (language === 'en') return english;
  const { german } = await import('./german.ts');
  return german;
}
