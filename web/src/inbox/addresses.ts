/** Who takes part in a message, as `Anna Lee <anna@globex.test>`, an address, or a phone number. */

export interface Party {
  readonly name: string;
  readonly address: string;
  /** As it was given. */
  readonly whole: string;
}

/** The parts of what a message names. */
export function partyOf(whole: string): Party {
  const found = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(whole);
  const address = (found?.[2] ?? whole).trim();
  return { name: found?.[1] || address, address, whole: whole.trim() };
}

/** Addresses are the same whatever their case. */
export function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Splits what a person types as recipients; a comma inside a quoted name is no end. */
export function recipientsIn(text: string): string[] {
  return (text.match(/(?:"[^"]*"|[^,;"])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');
}

interface Told {
  readonly direction: 'inbound' | 'outbound';
  readonly participants: readonly string[];
}

/** The account that takes part in the conversation, the last message first; '' where none does, or there is no choice. */
export function senderAmong(accounts: readonly string[], messages: readonly Pick<Told, 'participants'>[]): string {
  if (accounts.length < 2) return '';
  const parties = messages.toReversed().flatMap(({ participants }) => participants.map(partyOf));
  return parties.flatMap(({ address }) => accounts.find((one) => isSame(one, address)) ?? [])[0] ?? '';
}

/** Whom an answer goes to: who wrote, or whom the reader wrote to; with all, everybody else gets a copy. */
export function answerTo(message: Told, own: readonly string[], isToAll: boolean): { to: string[]; cc: string[] } {
  const [first, ...rest] = message.participants;
  const others = rest.filter((one) => !own.some((address) => isSame(partyOf(one).address, address)));
  if (message.direction === 'outbound') return { to: isToAll ? others : others.slice(0, 1), cc: [] };
  return { to: first === undefined ? [] : [first], cc: isToAll ? others : [] };
}
