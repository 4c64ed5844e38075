/** Text and date formats of the demo. */

/** `Müller & Söhne GmbH` → `mueller-soehne-gmbh`. */
export function slug(text: string): string {
  return spelledOut(text.toLowerCase())
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Umlauts as two letters. */
export function spelledOut(text: string): string {
  const pairs = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' };
  return text.replaceAll(/[äöüÄÖÜß]/g, (letter) => pairs[letter as keyof typeof pairs]);
}

/** The UTC day: `2026-01-31`. */
export function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The day that many days after `date`; before it if negative. */
export function daysFrom(date: Date, days: number): string {
  return day(new Date(date.getTime() + days * 86_400_000));
}
