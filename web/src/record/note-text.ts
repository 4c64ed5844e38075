/** The text of notes as it is typed, with `@` before the names of users. */

interface Named {
  readonly id: string;
  readonly name: string;
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The text as HTML: markup in it is escaped, each line becomes a paragraph. */
export function noteHtml(text: string): string {
  return text
    .trim()
    .replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)
    .split(/\n+/)
    .map((line) => `<p>${line}</p>`)
    .join('');
}

/** The ids of users whose names follow an `@`. */
export function mentioned(text: string, users: readonly Named[]): string[] {
  const said = text.toLocaleLowerCase();
  return users.filter(({ name }) => name !== '' && said.includes(`@${name.toLocaleLowerCase()}`)).map(({ id }) => id);
}

/** The text between an `@` and the cursor, and its start; undefined if no mention is being typed. */
export function mentionAt(
  text: string,
  cursor: number,
): { readonly begin: number; readonly wanted: string } | undefined {
  const found = /(?:^|\s)@([\p{L}\p{M}.'-]*(?: [\p{L}\p{M}.'-]*)?)$/u.exec(text.slice(0, cursor));
  if (!found) return undefined;
  const wanted = found[1] ?? '';
  return { begin: cursor - wanted.length - 1, wanted };
}
