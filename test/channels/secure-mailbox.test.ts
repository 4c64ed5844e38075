/** Mail servers by TLS, whose certificates have to be good, and by tokens of OAuth 2.0 for sending. [contract: Accounts] */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preview, send } from '../api/sending.ts';
import { certificate, certificateKey } from '../support/certificate.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startTokenServer, type TokenServer } from '../support/token-server.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let accounts: Accounts;
let tokens: TokenServer;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  tokens = await startTokenServer('ada');
  host = await startMailHost({ tls: { certificate, key: certificateKey }, tokenInfoUrl: tokens.infoUrl });
  accounts = await startAccounts({ env: { KITH_PRIVATE_HOSTS: 'localhost,127.0.0.1' } });
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
  await tokens?.stop();
});

function account(name: string, security: 'tls' | 'starttls', hostName = 'localhost') {
  const signIn = { host: hostName, security, user: name, password: 'secret' };
  const { imapPort, smtpPort } = security === 'tls' ? host.secure : host;
  return host.account(name, { imap: { ...signIn, port: imapPort }, smtp: { ...signIn, port: smtpPort } });
}

async function sendTo(to: string, from: string) {
  const message = { channel: 'email', from_account_email: from, to: [to], subject: 'Secure', body: '<p>Hi</p>' };
  const token = (await preview(accounts.admin, message)).json.confirm_token;
  return (await send(accounts.admin, message, token)).json;
}

describe.skipIf(noMailHost !== undefined)('a mail server by TLS', () => {
  it('is refused where nobody vouches for its certificate, or it is of another name', async () => {
    for (const security of ['tls', 'starttls'] as const)
      expect(await accounts.add(account('ada', security))).toMatchObject({
        json: { code: 'VALIDATION_ERROR', message: /imap.*certificate/s },
      });
    setDefaultCACertificates([...getCACertificates('default'), certificate]);
    expect(await accounts.add(account('ada', 'tls', '127.0.0.1'))).toMatchObject({
      json: { code: 'VALIDATION_ERROR', message: /certificate/ },
    });
  });

  it.each(['tls', 'starttls'] as const)('brings mails in and sends them, by %s', async (security) => {
    const name = security === 'tls' ? 'ada' : 'cleo';
    await host.deliver(name, [mailOf({ id: `<${security}@x.test>`, to: `${name}@acme.test`, subject: security })]);
    const { json } = await accounts.add(account(name, security));
    const synced = await accounts.sync(json['integrationId'] as string);
    expect(synced.json).toMatchObject({ interactions: 1, failed: [] });
    expect(await sendTo('fred@acme.test', `${name}@acme.test`)).toMatchObject({ mode: 'sent' });
  });

  it('is refused where it was to be made secure, and the server does not offer that', async () => {
    const plain = await startMailHost();
    try {
      const { imap, smtp } = plain.account('dora') as { imap: object; smtp: object };
      const open = { provider: 'imap', account_email: 'dora@acme.test', imap, smtp, send_enabled: true };
      for (const more of [{ imap: { ...imap, security: 'starttls' } }, { smtp: { ...smtp, security: 'starttls' } }])
        expect(await accounts.add({ ...open, ...more })).toMatchObject({
          json: { code: 'VALIDATION_ERROR', message: /TLS/ },
        });
    } finally {
      await plain.stop();
    }
  });

  it('takes mails of whoever has a token', async () => {
    const { imap, smtp } = account('ada', 'tls') as { imap: { password?: string }; smtp: { password?: string } };
    const xoauth2 = { client_id: 'kith', refresh_token: 'refresh', token_url: tokens.tokenUrl };
    const byToken = ({ password: _, ...server }: { password?: string }) => ({ ...server, xoauth2 });
    const document = {
      ...{ provider: 'imap', account_email: 'ada@other.test', send_enabled: true },
      ...{ imap: byToken(imap), smtp: byToken(smtp) },
    };
    expect(await accounts.add(document)).toMatchObject({ code: 0 });
    expect(await sendTo('gina@acme.test', 'ada@other.test')).toMatchObject({ mode: 'sent' });
    expect(tokens.given()).toBeGreaterThan(0);
  });
});
