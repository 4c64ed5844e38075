/** Mails that strangers make to do harm: they come in harmless, or are told as what could not be read, and their neighbours come in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let accounts: Accounts;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  accounts = await startAccounts();
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
});

/** A mail whose body is of that type. */
function mailWith(subject: string, type: string, body: string): string {
  const head = mailOf({ id: `<${subject.replaceAll(' ', '-')}@evil.test>`, subject, from: 'Eve <eve@evil.test>' });
  return head.slice(0, head.indexOf('Content-Type')) + [`Content-Type: ${type}`, '', body, ''].join('\r\n');
}

/** Parts within parts, as many as fill so many bytes. */
function nested(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, at = 0; size < bytes; at++) {
    const part = `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at + 1}\r\n`;
    lines.push(part);
    size += part.length;
  }
  return lines.join('\r\n');
}

/** Parts beside parts. */
const many = (bytes: number) => '--b0\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(Math.ceil(bytes / 40));

const megabytes = 10 * 1024 * 1024;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="steal()"><script>steal()</script><a href="javascript:steal()">a</a></svg>`;
const page = `<html><head><style>body{background:url(http://evil.test/s)}</style></head><body onload="steal()">
<p style="position:fixed">Read this</p><img src="http://evil.test/pixel.gif"><iframe src="http://evil.test"></iframe>${svg}
<a href="javascript:steal()">here</a><form action="http://evil.test"><input name="password"></form></body></html>`;
const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">${Array.from(
  { length: 20 },
  (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? '' : at - 1};`.repeat(10)}">`,
).join('')}]><svg>&a19;</svg>`;

const hostile = [
  mailWith('Nested parts', 'multipart/mixed; boundary=b0', nested(megabytes)),
  mailWith('Many parts', 'multipart/mixed; boundary=b0', many(megabytes)),
  mailWith('A page', 'text/html; charset=utf-8', page),
  mailWith('A picture', 'image/svg+xml', svg),
  mailWith('A laugh', 'image/svg+xml', laughs),
  mailWith('An unknown charset', 'text/plain; charset=klingon', 'tlhIngan'),
  mailWith('A boundary that never comes', 'multipart/alternative; boundary="nowhere"', 'Nothing here'),
  mailWith('A long line', 'text/plain', 'x'.repeat(megabytes)),
  mailWith('Base64 that is none', 'text/plain\r\nContent-Transfer-Encoding: base64', '!!!not base64!!!'),
];

describe.skipIf(noMailHost !== undefined)('hostile mails', () => {
  it('harm nothing: what can be read of them is harmless, and all others come in', { timeout: 120_000 }, async () => {
    await host.deliver('ada', [mailOf({ id: '<first@x.test>', subject: 'First' }), ...hostile]);
    await host.deliver('ada', [mailOf({ id: '<last@x.test>', subject: 'Last' })]);
    const id = await accounts.connected(host.account('ada'));
    const began = performance.now();
    const { json } = await accounts.sync(id);
    const seconds = (performance.now() - began) / 1000;
    const failed = json['failed'] as { folder: string; uid: number; reason: string }[];
    console.log(`${hostile.length} hostile mails in ${seconds.toFixed(1)} s: ${JSON.stringify({ ...json })}`);
    // Each that was not taken says where it lies and why.
    expect(failed).toMatchObject([
      { folder: 'INBOX', uid: 2, reason: /nesting depth/ },
      { folder: 'INBOX', uid: 3, reason: /header size/ },
    ]);
    expect(json['interactions']).toBe(hostile.length + 2 - failed.length);

    const { admin } = accounts;
    const { data } = (await admin.get('/inbox/threads', { limit: '100' })).json;
    const subjects = data.map(({ subject }: { subject: string }) => subject);
    expect(subjects).toEqual(
      expect.arrayContaining(['First', 'Last', 'A page', 'A picture', 'A laugh', 'A long line']),
    );
    let read = 0;
    for (const thread of data) {
      const { text, json: told } = await admin.get(`/inbox/threads/${thread.id}`);
      const html = JSON.stringify(told.messages.map((one: { content_html: string }) => one.content_html));
      expect(html, thread.subject).not.toMatch(
        /<script|<iframe|<img|<form|<svg|<style|\son\w+=|javascript:|evil\.test\/(?:s|pixel)/i,
      );
      expect(text.length, thread.subject).toBeLessThan(4_000_000);
      if (thread.subject === 'A page') expect(html).toContain('Read this');
      read++;
    }
    expect(read).toBe(subjects.length);
    expect((await accounts.command(['list'])).json['accounts']).toMatchObject([{ status: 'active', last_error: null }]);
  });
});
