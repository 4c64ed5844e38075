/** The statements of a script. PostgreSQL takes a script whole; Citus passes its text on to workers that take one statement. */
import type { Transaction } from './database.ts';

/** A quoted piece, a separator, or what is neither; Kith's own scripts have no comments and no other quotes. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[^]*?\$\$|;|[^;'"$]+|\$/g;

export function statementsOf(script: string): readonly string[] {
  const statements = [''];
  for (const [text] of script.matchAll(piece)) {
    if (text === ';') statements.push('');
    else statements[statements.length - 1] += text;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== '');
}

/** The transaction, sending the statements of a script one by one. */
export function oneByOne(tx: Transaction): Transaction {
  return {
    ...tx,
    async script(text) {
      for (const each of statementsOf(text)) await tx.script(each);
    },
  };
}
