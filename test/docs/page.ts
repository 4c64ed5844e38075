/**
 * The parts of a page that are run. A fenced block says so by the second word after its backticks:
 *
 * - `sh run`: commands that succeed; `sh fails`: commands of which one does not
 * - `sh start`: what starts the service, on a terminal
 * - `text output`, `json output`: what the block before it shows; without one, that is not compared
 * - `yaml file=NAME`: a file that is there from here on
 */
export interface Block {
  readonly kind: 'run' | 'fails' | 'start' | 'file' | 'output';
  /** With its last line end, or empty. */
  readonly body: string;
  /** Of a file. */
  readonly name: string;
  /** Where `body` begins in the page. */
  readonly at: number;
}

const fence = /^```\w+ (run|fails|start|output|file=(\S+))\n([^]*?)^```$/gm;

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(fence)].map((match) => {
    const [all, word = '', name = '', body = ''] = match;
    return {
      kind: word.startsWith('file=') ? 'file' : (word as Exclude<Block['kind'], 'file'>),
      body,
      name,
      at: match.index + all.indexOf('\n') + 1,
    };
  });
}

/** The page with other bodies in the place of those of `blocks`. */
export function withBodies(page: string, bodies: ReadonlyMap<Block, string>): string {
  const inReverse = [...bodies].toSorted(([one], [other]) => other.at - one.at);
  return inReverse.reduce(
    (text, [{ at, body }, other]) => text.slice(0, at) + other + text.slice(at + body.length),
    page,
  );
}
