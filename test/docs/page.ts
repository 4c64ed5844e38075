/**
 * The blocks of a page. Each says by the words after its backticks what a test does with it:
 *
 * - `sh run`: commands that succeed; `sh fails`: commands of which one does not
 * - `sh start`: what starts the service
 * - `http run`: a request that is answered; `http fails`: one that is refused
 * - `yaml apply`: a manifest that is applied; `NAME file=NAME`: a file that is there from here on
 * - `text output`, `json output`: what the block before it shows; without one, that is not compared
 * - `NAME not run: REASON`: what only shows how something looks
 */
export interface Block {
  readonly kind: 'run' | 'fails' | 'start' | 'apply' | 'file' | 'output' | 'not run' | 'unmarked';
  /** The first word: how the body is read. */
  readonly language: string;
  /** With its last line end, or empty. */
  readonly body: string;
  /** The name of a file, or why a block is not run. */
  readonly detail: string;
  /** Where `body` begins in the page. */
  readonly at: number;
}

const fence = /^ *```(\w*) *(.*)\n([^]*?)^ *```$/gm;
const marks = /^(?:(?<kind>run|fails|start|apply|output)|file=(?<file>\S+)|not run: (?<reason>.+))$/;

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(fence)].map((match) => {
    const [all, language = '', mark = '', body = ''] = match;
    const at = match.index + all.indexOf('\n') + 1;
    const { kind, file, reason } = marks.exec(mark)?.groups ?? {};
    if (file !== undefined) return { kind: 'file', language, body, detail: file, at };
    if (reason !== undefined) return { kind: 'not run', language, body, detail: reason, at };
    return { kind: (kind as Block['kind'] | undefined) ?? 'unmarked', language, body, detail: '', at };
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
