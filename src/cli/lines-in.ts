/** Splits text of any length into lines. */

/** The lines without their ends. Only line feeds count, as JSON texts may contain other line separators. */
export async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
