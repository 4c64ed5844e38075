/** What the mails say. No text of strangers stands in them: who signs up is told by no name, lest others send words of theirs. */
import type { Mail } from './delivery.ts';

type Text = Omit<Mail, 'id' | 'to'>;

const ending = ['', '-- ', 'Kith'];

function lines(...text: readonly string[]): string {
  return [...text, ...ending, ''].join('\n');
}

/** The link to sign in with. */
export function signInText(link: string): Text {
  return {
    subject: 'Sign in to Kith',
    text: lines(
      'This link signs you in. It works once, for 15 minutes:',
      '',
      link,
      '',
      'You did not ask for it? Then somebody typed your address, and nothing happens unless you open the link.',
    ),
  };
}

/** The link that makes the organization. */
export function signupText(link: string): Text {
  return {
    subject: 'Create your organization in Kith',
    text: lines(
      'This link creates your organization and signs you in. It works once, for 15 minutes:',
      '',
      link,
      '',
      'You did not ask for it? Then somebody typed your address, and nothing happens unless you open the link.',
    ),
  };
}

/** For an address that somebody wanted to sign up, and that has a user already. */
export function knownText(signInPage: string): Text {
  return {
    subject: 'You have an account in Kith already',
    text: lines(
      'Somebody, probably you, wanted to sign up with this address. It has an account already: sign in here.',
      '',
      signInPage,
    ),
  };
}

/** The link of an invitation. */
export function invitationText(
  link: string,
  {
    organizationName,
    inviter,
    roleName,
  }: { readonly organizationName: string; readonly inviter: string; readonly roleName: string },
): Text {
  return {
    subject: `${inviter} invites you to ${organizationName}`,
    text: lines(
      `${inviter} invites you to ${organizationName} in Kith, as ${roleName}. The link works once, for 7 days:`,
      '',
      link,
      '',
      'Not for you? Then nothing happens unless you open the link.',
    ),
  };
}
