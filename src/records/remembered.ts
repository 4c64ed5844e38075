/** Answers remembered with the version they were true for. Exact: each use compares the version in the statement itself. */
interface Limits<Answer> {
  /** Characters of all that is remembered. */
  readonly all: number;
  /** The same of one organization, which can only push out its own answers as long as there is room for all. */
  readonly organization: number;
  lengthOf(answer: Answer): number;
}

/** What an entry takes beside its answer: the key, and the maps. */
const overhead = 200;

/** What one process remembers. When it is too much, the organization that was idle for longest is forgotten. */
export class Remembered<Answer> {
  readonly #limits: Limits<Answer>;
  readonly #byOrganization = new Map<string, Answers<Answer>>();
  #size = 0;

  constructor(limits: Limits<Answer>) {
    this.#limits = limits;
  }

  recall(organizationId: string, key: string): Answer | undefined {
    return this.#answersOf(organizationId)?.get(key);
  }

  remember(organizationId: string, key: string, answer: Answer): void {
    const { all, organization, lengthOf } = this.#limits;
    const answers = this.#answersOf(organizationId) ?? new Answers<Answer>();
    this.#byOrganization.set(organizationId, answers);
    this.#size += answers.set(key, answer, lengthOf(answer) + overhead, organization);
    for (const [id, { size }] of this.#byOrganization) {
      if (this.#size <= all || id === organizationId) break;
      this.#byOrganization.delete(id);
      this.#size -= size;
    }
  }

  /** Those of the organization, which becomes the one that was used last. */
  #answersOf(organizationId: string): Answers<Answer> | undefined {
    const answers = this.#byOrganization.get(organizationId);
    if (answers && this.#byOrganization.size > 1) {
      this.#byOrganization.delete(organizationId);
      this.#byOrganization.set(organizationId, answers);
    }
    return answers;
  }
}

/** Those of one organization; the least recently used goes first. */
class Answers<Answer> {
  readonly #entries = new Map<string, { readonly answer: Answer; readonly size: number }>();
  size = 0;

  get(key: string): Answer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.answer;
  }

  /** Keeps the size of all at `most`; returns by how much it grew. */
  set(key: string, answer: Answer, size: number, most: number): number {
    const before = this.size;
    this.#drop(key);
    this.#entries.set(key, { answer, size });
    this.size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.size <= most) break;
      this.#drop(oldest);
    }
    return this.size - before;
  }

  #drop(key: string): void {
    this.size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
