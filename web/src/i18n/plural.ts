/** Plural forms by the platform's rules of a language. */

export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Chooses among forms by a count. */
export function plural(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
