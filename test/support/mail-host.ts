/** A real mail server: Debian's dovecot for IMAP and exim for SMTP, over the same Maildirs. It needs root, as both do. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ImapFlow } from 'imapflow';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const account = 'Debian-exim';
/** Who gets mail by SMTP. */
const users = ['ada', 'cleo', 'dora', 'emil', 'fred', 'gina', 'hugo', 'ida'];

/** Why there is none here; undefined where there can be one. */
export const noMailHost: string | undefined =
  process.getuid?.() !== 0
    ? 'a mail server needs root'
    : existsSync('/usr/sbin/dovecot') && existsSync('/usr/sbin/exim4')
      ? undefined
      : 'dovecot-imapd and exim4-daemon-light are not installed';

export interface MailHost {
  readonly imapPort: number;
  readonly smtpPort: number;
  /** Where the connection is secure from its beginning; of a host with a certificate. */
  readonly secure: { readonly imapPort: number; readonly smtpPort: number };
  /** The document of a user's account. Every password is `secret`. */
  account(user: string, more?: object): object;
  /** Another mail program of the user, which has signed in. */
  client(user: string): Promise<ImapFlow>;
  /** Puts messages into a folder of the user, as a server that delivers does. */
  deliver(user: string, messages: readonly (string | Buffer)[], folder?: string): Promise<void>;
  /** Puts so many messages into the user's inbox, without the server. */
  fill(user: string, count: number, message: (at: number) => string): Promise<void>;
  stopImap(): Promise<void>;
  startImap(): Promise<void>;
  stopSmtp(): Promise<void>;
  startSmtp(): Promise<void>;
  stop(): Promise<void>;
}

interface Certified {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Starts one, with a mailbox for whoever signs in; by XOAUTH2, too, where a server says whose an access token is. With a
 * certificate it speaks TLS, too.
 */
export async function startMailHost({
  tokenInfoUrl = '',
  tls,
}: { tokenInfoUrl?: string; tls?: Certified } = {}): Promise<MailHost> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mail-'));
  await chmod(folder, 0o755);
  const [imapPort, smtpPort] = [await freePort(), await freePort()];
  const secure = { imapPort: tls ? await freePort() : 0, smtpPort: tls ? await freePort() : 0 };
  if (tls) {
    await writeFile(join(folder, 'certificate.pem'), tls.certificate);
    await writeFile(join(folder, 'key.pem'), tls.key);
  }
  for (const name of ['run', 'log', 'mail', 'spool']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'dovecot.conf'), dovecotConf(folder, imapPort, secure.imapPort, tokenInfoUrl !== ''));
  await writeFile(join(folder, 'oauth2.conf'), `tokeninfo_url = ${tokenInfoUrl}\nusername_attribute = email\n`);
  await writeFile(join(folder, 'users'), users.map((user) => `${user}: ${user}\n`).join(''));
  await writeFile(join(folder, 'exim.conf'), eximConf(folder, smtpPort, secure.smtpPort));
  await run('chown', [
    '-R',
    `${account}:${account}`,
    ...['run', 'log', 'mail', 'spool'].map((name) => join(folder, name)),
  ]);
  const imap = server('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], imapPort);
  const smtp = server('exim4', ['-C', join(folder, 'exim.conf'), '-bdf'], smtpPort);
  await Promise.all([imap.start(), smtp.start()]);

  async function client(user: string): Promise<ImapFlow> {
    const auth = { user, pass: 'secret' };
    const opened = new ImapFlow({
      host: '127.0.0.1',
      port: imapPort,
      secure: false,
      doSTARTTLS: false,
      auth,
      logger: false,
    });
    await opened.connect();
    return opened;
  }

  return {
    imapPort,
    smtpPort,
    secure,
    account: (user, more = {}) => ({
      provider: 'imap',
      account_email: `${user}@acme.test`,
      send_enabled: true,
      imap: { host: '127.0.0.1', port: imapPort, security: 'none', user, password: 'secret' },
      smtp: { host: '127.0.0.1', port: smtpPort, security: 'none', user, password: 'secret' },
      ...more,
    }),
    client,
    async deliver(user, messages, name = 'INBOX') {
      const at = await client(user);
      if (name !== 'INBOX') await at.mailboxCreate(name);
      for (const message of messages) await at.append(name, message);
      await at.logout();
    },
    async fill(user, count, message) {
      const inbox = join(folder, 'mail', user);
      for (const name of ['cur', 'new', 'tmp']) await mkdir(join(inbox, name), { recursive: true });
      for (let at = 0; at < count; at++) await writeFile(join(inbox, 'cur', `${at}.M${at}.test:2,`), message(at));
      await run('chown', ['-R', `${account}:${account}`, join(folder, 'mail')]);
    },
    stopImap: imap.stop,
    startImap: imap.start,
    stopSmtp: smtp.stop,
    startSmtp: smtp.start,
    async stop() {
      await Promise.all([imap.stop(), smtp.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function server(command: string, args: readonly string[], port: number) {
  let child: ChildProcess | undefined;
  return {
    async start() {
      child = spawn(`/usr/sbin/${command}`, [...args], { stdio: 'ignore' });
      await untilItAnswers(port, command);
    },
    async stop() {
      const stopping = child;
      child = undefined;
      if (!stopping || stopping.exitCode !== null) return;
      const gone = new Promise((resolve) => stopping.once('exit', resolve));
      stopping.kill('SIGTERM');
      await gone;
    },
  };
}

async function untilItAnswers(port: number, command: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await answers(port)) return;
    await sleep(50);
  }
  throw new Error(`${command} does not answer on port ${port}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(2_000, () => {
      socket.destroy();
      resolve(false);
    });
  });
}

const byToken = (folder: string) => `passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${folder}/oauth2.conf
}
`;

const special = (name: string) => `mailbox ${name} {
    auto = subscribe
    special_use = \\${name}
  }`;

const dovecotConf = (folder: string, port: number, securePort: number, hasTokens: boolean) => `protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log/dovecot
default_internal_user = ${account}
default_login_user = ${account}
mail_uid = ${account}
mail_gid = ${account}
first_valid_uid = 1
ssl = ${securePort === 0 ? 'no' : `yes\nssl_cert = <${folder}/certificate.pem\nssl_key = <${folder}/key.pem`}
disable_plaintext_auth = no
auth_mechanisms = plain login${hasTokens ? ' xoauth2' : ''}
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%n
mail_fsync = never
${hasTokens ? byToken(folder) : ''}passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${account} gid=${account} home=${folder}/mail/%n
}
namespace inbox {
  inbox = yes
  separator = /
  ${['Sent', 'Trash', 'Junk', 'Drafts'].map(special).join('\n  ')}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${securePort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
`;

const login = (name: string, prompts: string, user: string, password: string) => `${name}:
  driver = plaintext
  public_name = ${name.toUpperCase()}
  server_prompts = ${prompts}
  server_condition = \${if eq{${password}}{secret}}
  server_set_id = ${user}
`;

/** Exim has none of its own: what a client says is one text, with the token in it. */
const tokenLogin = `xoauth2:
  driver = plaintext
  public_name = XOAUTH2
  server_prompts = :
  server_condition = \${if match{$auth1}{\\N^user=[a-z]+\\x01auth=Bearer access-[0-9]+\\x01\\x01$\\N}}
  server_set_id = token
`;

const eximConf = (folder: string, port: number, securePort: number) => `exim_user = ${account}
exim_group = ${account}
primary_hostname = mail.acme.test
daemon_smtp_ports = ${port}${securePort === 0 ? '' : ` : ${securePort}\ntls_on_connect_ports = ${securePort}`}
local_interfaces = 127.0.0.1
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/run/exim.pid
deliver_drop_privilege = true
never_users =
acl_smtp_rcpt = rcpt
acl_smtp_data = data
auth_advertise_hosts = *
tls_advertise_hosts = ${securePort === 0 ? '' : `*\ntls_certificate = ${folder}/certificate.pem\ntls_privatekey = ${folder}/key.pem`}
begin acl
rcpt:
  deny message = no such user here
       local_parts = nobody
  accept authenticated = *
  deny message = relay not permitted
data:
  accept
begin routers
known:
  driver = accept
  local_parts = lsearch;${folder}/users
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = ${folder}/mail/$local_part_data
  maildir_format
  create_directory
begin retry
* * F,2h,15m
begin authenticators
${tokenLogin}${login('plain', ':', '$auth2', '$auth3')}${login('login', 'Username:: : Password::', '$auth1', '$auth2')}`;
