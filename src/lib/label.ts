/**
 * Names and labels of a workspace: every character must be visible, so that two labels that look alike are equal, and
 * none changes the direction of the text around it. Values of records are not restricted.
 */

/**
 * Controls, line separators, lone surrogates, noncharacters, and characters drawn as nothing, including all direction
 * marks. The last ones are drawn as nothing though Unicode does not say so: interlinear annotation marks, the blank
 * Braille pattern, and a null note head.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{1d159}]/v;

/** Spaces that look like the plain one; the ideographic space is as wide as a letter. */
const otherSpace = /[\p{Zs}--[\u0020\u3000]]/v;

/**
 * Where invisible characters have a meaning: joiners between letters of joining scripts, such as Persian and Hindi,
 * or between emoji, and variation selectors of emoji and digits. Isolated letters look the same with a joiner.
 */
const joined =
  /(?<=[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[#*0-9])\ufe0f(?=\u20e3)/gv;

/** The problem of a name or a label, as `must …`, or undefined. */
export function labelProblem(text: string): string | undefined {
  const hidden = unseen.exec(text.replaceAll(joined, ''))?.[0];
  if (hidden !== undefined) return `must have visible characters only: ${codePoint(hidden)} is none`;
  const odd = otherSpace.exec(text)?.[0];
  if (odd !== undefined) return `must have plain spaces only: ${codePoint(odd)} is none`;
  if (/^[ \u3000]|[ \u3000]$/u.test(text)) return 'must not begin or end with a space';
  return /[ \u3000]{2}/u.test(text) ? 'must not have two spaces in a row' : undefined;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
