/** Composes mails at delivery. Links are made then, so that a late mail has a link with its full lifetime. */
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

/** The most links to one address within the lifetime of a link. */
const mostLinks = 15;

/**
 * The address as typed if it is ASCII, or else the link's own in lower case: other letters can fold to the same one, and
 * the mail would go to a different mailbox than the link is for.
 */
function recipient(typed: string, link: Link): string {
  return /^[\x21-\x7e]+$/.test(typed) ? typed : link.email;
}

/** Makes the composer. It returns nothing for the sign-in of an unknown address. A retried mail gets its link made again. */
export function mailComposer({ directory, links, log, clock, linkTo }: Parts): DeliveryParts['compose'] {
  const isKnown = async (email: string) => {
    const person = await directory.personOf(email);
    return person !== undefined && (await workplacesOf(directory, person.id, log)).length > 0;
  };
  return async (order, id) => {
    const { kind, email } = order;
    if (kind === 'invitation') {
      // It may have been withdrawn meanwhile.
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
    // Counted even if nothing is sent, so that nobody can fill another's mailbox.
    const { link: made, secret } = await links.make({ id, purpose: kind, email, details });
    const to = recipient(email, made);
    if (kind === 'signup' && known) return { to, ...knownText(linkTo('/signin')) };
    const link = linkTo(`/signin/link?token=${secret}`);
    return { to, ...(kind === 'signup' ? signupText(link) : signInText(link)) };
  };
}
