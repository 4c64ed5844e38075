/** The statements of a script. PostgreSQL takes a script whole; Citus passes its text on to workers that take one statement. */

/** A quoted piece, a separator, or what is neither; Kith's own scripts have no comments and no other quotes. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[^]*?\$\$|;|[^;'"$]+|\$/g;

/** The statements of a script, without the semicolons between them; those inside of texts and bodies are left. */
export function statementsOf(script: string): readonly string[] {
  const statements = [''];
  for (const [text] of script.matchAll(piece)) {
    if (text === ';') statements.push('');
    else statements[statements.length - 1] += text;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== '');
}
