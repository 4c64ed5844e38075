/** Texts of mails. They contain no names of strangers, so that nobody can send text to others through a signup. */
import type { Mail } from './delivery.ts';

type Text = Omit<Mail, 'id' | 'to'>;

const ending = ['', '-- ', 'Kith'];

function lines(...text: readonly string[]): string {
  return [...text, ...ending, ''].join('\n');
}

/** The mail with a sign-in link. */
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

/** The mail with a signup link. */
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

/** The mail for a signup address that has a user already. */
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

/** The mail with an invitation link. */
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
