/** The texts of settings in English; other languages have the same keys. */
import type { Widened } from './catalogue.ts';
import * as access from './en/access.ts';
import * as accounts from './en/accounts.ts';
import * as organization from './en/organization.ts';

export const englishSettings = { ...access, ...accounts, ...organization };

export type SettingTexts = Widened<typeof englishSettings>;
