/**
 * Splits scripts into statements. PostgreSQL executes a whole script; Citus forwards its text to workers that take
 * one statement.
 */

/** A quoted piece, a separator, or anything else; Kith's own scripts have no comments and no other quotes. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[^]*?\$\$|;|[^;'"$]+|\$/g;

/** The statements of a script without separating semicolons; those inside texts and bodies stay. */
export function statementsOf(script: string): readonly string[] {
  const statements = [''];
  for (const [text] of script.matchAll(piece)) {
    if (text === ';') statements.push('');
    else statements[statements.length - 1] += text;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== '');
}
