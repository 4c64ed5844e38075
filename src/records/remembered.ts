/** Answers remembered with the version they were true for. Exact: each use compares the version in the statement itself. */
import { Lru } from '../lib/lru.ts';

interface Limits {
  readonly organizations: number;
  /** Of one organization. */
  readonly answers: number;
}

/** What one process remembers; an organization can only push out its own. */
export class Remembered<Answer> {
  readonly #limits: Limits;
  readonly #byOrganization: Lru<string, Lru<string, Answer>>;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#byOrganization = new Lru(limits.organizations);
  }

  recall(organizationId: string, key: string): Answer | undefined {
    return this.#byOrganization.get(organizationId)?.get(key);
  }

  remember(organizationId: string, key: string, answer: Answer): void {
    let answers = this.#byOrganization.get(organizationId);
    if (!answers) this.#byOrganization.set(organizationId, (answers = new Lru(this.#limits.answers)));
    answers.set(key, answer);
  }
}
