/** Lines of a text of any length. */

/** The lines as they come, without their ends; what other programs take for an end of a line, JSON has within its texts. */
export async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
