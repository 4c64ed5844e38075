/** What a mail says by the time that it is delivered. Links are made then, so that a late one still has its time. */
import type { Log } from '../lib/log.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import type { DeliveryParts } from './delivery.ts';
import { lifetimesMs, type Link, type Links } from './links.ts';
import { invitationText, knownText, signInText, signupText } from './mail-texts.ts';
import { workplacesOf } from './workplaces.ts';

interface Parts extends Pick<ProvisionDeps, 'directory' | 'clock'> {
  readonly links: Links;
  readonly log: Log;
  linkTo(path: string): string;
}

/** To one address, within the time that a link lives. */
const mostLinks = 15;

/**
 * The address as it was typed, or else as the link has it, in lower case: beyond ASCII, other letters can become the same ones, and
 * the link would go to somebody else than it is good for.
 */
function recipient(typed: string, link: Link): string {
  return /^[\x21-\x7e]+$/.test(typed) ? typed : link.email;
}

/** Makes the mail of an order; nothing for a sign-in of somebody who is not known. Tried again, a mail has its one link anew. */
export function mailComposer({ directory, links, log, clock, linkTo }: Parts): DeliveryParts['compose'] {
  const isKnown = async (email: string) => {
    const person = await directory.personOf(email);
    return person !== undefined && (await workplacesOf(directory, person.id, log)).length > 0;
  };
  return async (order, id) => {
    const { kind, email } = order;
    if (kind === 'invitation') {
      // It may have been taken back meanwhile.
      const invitation = await links.look(order.secret);
      if (!invitation) return undefined;
      return { to: recipient(email, invitation), ...invitationText(linkTo(`/invite?token=${order.secret}`), order) };
    }
    const since = clock.now() - lifetimesMs['sign-in'];
    if ((await links.countSince(email.toLowerCase(), since, id)) >= mostLinks) return undefined;
    const known = await isKnown(email);
    if (kind === 'sign-in' && !known) return undefined;
    const details =
      kind === 'signup'
        ? { name: order.name, organizationName: order.organizationName }
        : { ...(order.next !== undefined && { next: order.next }) };
    // Who is known is sent none, but it counts: nobody's mailbox is filled by others.
    const { link: made, secret } = await links.make({ id, purpose: kind, email, details });
    const to = recipient(email, made);
    if (kind === 'signup' && known) return { to, ...knownText(linkTo('/signin')) };
    const link = linkTo(`/signin/link?token=${secret}`);
    return { to, ...(kind === 'signup' ? signupText(link) : signInText(link)) };
  };
}
