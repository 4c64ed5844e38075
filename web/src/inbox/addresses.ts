/** A participant of a message: `Anna Lee <anna@globex.test>`, an address, or a phone number. */

export interface Party {
  readonly name: string;
  readonly address: string;
  /** The unparsed text. */
  readonly whole: string;
}

/** Parses a participant. */
export function partyOf(whole: string): Party {
  const found = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(whole);
  const address = (found?.[2] ?? whole).trim();
  return { name: found?.[1] || address, address, whole: whole.trim() };
}

/** Compares addresses without regard to case. */
export function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** The address as the service compares it: in lower case, or the digits of a phone number; other text as it is. */
export function comparable(address: string): string {
  const given = address.trim().toLowerCase();
  return /^[+\d][\d\s().\-/]*$/.test(given) ? given.replace(/\D/g, '').replace(/^00/, '') : given;
}

/** Splits typed recipients at commas, except within a quoted name. */
export function recipientsIn(text: string): string[] {
  return (text.match(/(?:"[^"]*"|[^,;"])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');
}

interface Message {
  readonly direction: 'inbound' | 'outbound';
  readonly participants: readonly string[];
}

/** The account that takes part in the conversation, by its latest message; '' if none does or there is only one account. */
export function senderAmong(accounts: readonly string[], messages: readonly Pick<Message, 'participants'>[]): string {
  if (accounts.length < 2) return '';
  const parties = messages.toReversed().flatMap(({ participants }) => participants.map(partyOf));
  return parties.flatMap(({ address }) => accounts.find((one) => isSame(one, address)) ?? [])[0] ?? '';
}

/** The recipients of a reply: the sender, or the recipients of the reader's own message; a reply to all copies everybody else. */
export function answerTo(message: Message, own: readonly string[], isToAll: boolean): { to: string[]; cc: string[] } {
  const [first, ...rest] = message.participants;
  const others = rest.filter((one) => !own.some((address) => isSame(partyOf(one).address, address)));
  if (message.direction === 'outbound') return { to: isToAll ? others : others.slice(0, 1), cc: [] };
  return { to: first === undefined ? [] : [first], cc: isToAll ? others : [] };
}
