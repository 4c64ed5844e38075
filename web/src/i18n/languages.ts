/** The available languages. */
import { english, type Catalogue } from './catalogue.ts';

/** Their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** The texts of a language; those other than English are loaded on demand. */
export async function textsOf(language: Language): Promise<Catalogue> {
  if (language === 'en') return english;
  const { german } = await import('./german.ts');
  return german;
}
