/** Guesses a mailbox's servers from its address: known settings of large providers, usual names for others. */

export interface Guess {
  /** By the names of the form's fields. */
  readonly values: Readonly<Record<string, string>>;
  /** The provider, if it does not accept the ordinary password. */
  readonly asks?: { readonly what: 'appPassword' | 'oauth'; readonly who: string };
}

interface Provider {
  readonly domains: readonly string[];
  readonly imap: string;
  readonly smtp: string;
  /** The SMTP port: on 587 the connection begins without TLS, on 465 with it. */
  readonly smtpPort?: '465';
  readonly caldav?: string;
  /** The address that issues access tokens. */
  readonly tokens?: string;
  readonly asks?: Guess['asks'];
}

const appPassword = (who: string) => ({ what: 'appPassword', who }) as const;

const providers: readonly Provider[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    imap: 'imap.gmail.com',
    smtp: 'smtp.gmail.com',
    smtpPort: '465',
    tokens: 'https://oauth2.googleapis.com/token',
    asks: appPassword('Google'),
  },
  {
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    imap: 'outlook.office365.com',
    smtp: 'smtp-mail.outlook.com',
    tokens: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/token',
    asks: { what: 'oauth', who: 'Microsoft' },
  },
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    imap: 'imap.mail.me.com',
    smtp: 'smtp.mail.me.com',
    caldav: 'https://caldav.icloud.com/',
    asks: appPassword('Apple'),
  },
  {
    domains: ['yahoo.com', 'yahoo.de', 'yahoo.co.uk', 'yahoo.fr'],
    imap: 'imap.mail.yahoo.com',
    smtp: 'smtp.mail.yahoo.com',
    smtpPort: '465',
    asks: appPassword('Yahoo'),
  },
  {
    domains: ['fastmail.com', 'fastmail.fm'],
    imap: 'imap.fastmail.com',
    smtp: 'smtp.fastmail.com',
    smtpPort: '465',
    caldav: 'https://caldav.fastmail.com/',
    asks: appPassword('Fastmail'),
  },
  { domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'], imap: 'imap.gmx.net', smtp: 'mail.gmx.net' },
  { domains: ['web.de'], imap: 'imap.web.de', smtp: 'smtp.web.de' },
  { domains: ['posteo.de', 'posteo.net'], imap: 'posteo.de', smtp: 'posteo.de', caldav: 'https://posteo.de:8443/' },
  { domains: ['mailbox.org'], imap: 'imap.mailbox.org', smtp: 'smtp.mailbox.org', caldav: 'https://dav.mailbox.org/' },
];

/** The guessed servers for this address; without a domain, only general defaults. */
export function guessed(address: string): Guess {
  const domain = /^[^\s@]+@([a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(address.trim())?.[1]?.toLowerCase();
  const known = providers.find(({ domains }) => domain !== undefined && domains.includes(domain));
  const host = (given: string | undefined, usual: string) =>
    given ?? (domain === undefined ? '' : `${usual}.${domain}`);
  const smtpPort = known?.smtpPort ?? '587';
  const values = {
    'imap.host': host(known?.imap, 'imap'),
    'imap.port': '993',
    'imap.security': 'tls',
    'smtp.host': host(known?.smtp, 'smtp'),
    'smtp.port': smtpPort,
    'smtp.security': smtpPort === '465' ? 'tls' : 'starttls',
    'caldav.url': known?.caldav ?? '',
    'xoauth2.token_url': known?.tokens ?? '',
  };
  return { values, ...(known?.asks && { asks: known.asks }) };
}
