/** The reader's language: the chosen one, else the first of the browser's languages that is available. */
import { callNameless } from '../api/record-name.ts';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { english, type Catalogue } from './catalogue.ts';
import { formatsOf, type Formats } from './formats.ts';
import { languages, textsOf, type Language } from './languages.ts';
import { remembered, remember } from '../app/remembered.ts';

interface Spoken {
  readonly language: Language;
  readonly texts: Catalogue;
  readonly formats: Formats;
  choose(language: Language): void;
}

const key = 'kith-language';
const Context = createContext<Spoken | undefined>(undefined);

/** Provides texts and formats to its children, and sets the document's direction. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  const [texts, setTexts] = useState<Catalogue>(english);
  useEffect(() => {
    let isWanted = true;
    void textsOf(language).then((found) => {
      if (!isWanted) return;
      callNameless(found.shell.nameless);
      setTexts(found);
    });
    document.documentElement.lang = language;
    return () => {
      isWanted = false;
    };
  }, [language]);
  const spoken = useMemo<Spoken>(
    () => ({
      language,
      texts,
      formats: formatsOf(language),
      choose(chosen) {
        remember(key, chosen);
        setLanguage(chosen);
      },
    }),
    [language, texts],
  );
  return <Context value={spoken}>{children}</Context>;
}

/** The language, and a function that chooses another. */
export function useLanguage(): Pick<Spoken, 'language' | 'choose'> {
  return useSpoken();
}

/** Every text in the reader's language. */
export function useTexts(): Catalogue {
  return useSpoken().texts;
}

/** Formats of the reader's language. */
export function useFormats(): Formats {
  return useSpoken().formats;
}

function useSpoken(): Spoken {
  const spoken = use(Context);
  if (!spoken) throw new Error('There is no language around this component');
  return spoken;
}

function firstLanguage(): Language {
  const wanted = [remembered(key), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag): tag is Language => tag !== undefined && Object.hasOwn(languages, tag)) ?? 'en';
}
