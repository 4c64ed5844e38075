/** Separates a reply from the text that it quotes. */
const heads = [
  /^(?:On|Am|Le|El|Il|Op) .{5,200}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef).{0,40}:$/,
  /^-{2,} ?(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Forwarded message|Weitergeleitete Nachricht) ?-{2,}$/i,
  /^(?:From|Von): .+@/,
];

export interface Split {
  readonly own: string;
  readonly quoted: string;
}

/** Splits a text where its quotation begins, also at trailing lines that start with `>`. */
export function splitQuoted(text: string): Split {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let at = lines.findIndex((line) => heads.some((head) => head.test(line.trim())));
  if (at < 0) {
    let from = lines.length;
    while (from > 0 && /^\s*(?:>.*)?$/.test(lines[from - 1] ?? '')) from--;
    at = lines.slice(from).some((line) => line.trim().startsWith('>')) ? from : lines.length;
  }
  const own = lines.slice(0, at).join('\n').trimEnd();
  // A message that is only a quotation is shown whole.
  return own.trim() === '' ? { own: text.trimEnd(), quoted: '' } : { own, quoted: lines.slice(at).join('\n').trim() };
}
