/** Every text of the application, by language. A language is complete, or it does not type-check. */
import { dashboards } from './en/dashboards.ts';
import { imports } from './en/imports.ts';
import { keySheet, palette } from './en/palette.ts';
import { shell } from './en/shell.ts';

/** English: what the others translate. */
export const english = { shell, palette, keySheet, imports, dashboards };

type Widened<T> = T extends string
  ? string
  : T extends (...given: infer G) => string
    ? (...given: G) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

export type Catalogue = Widened<typeof english>;

/** Languages, as they call themselves. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** The texts of a language; others than English come when they are asked for. */
export async function textsOf(language: Language): Promise<Catalogue> {
  if (language === 'en') return english;
  const { german } = await import('./german.ts');
  return german;
}
