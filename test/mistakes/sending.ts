/** What goes wrong with messages that shall go out. */
import type { Mistake } from './mistake.ts';

const nobody = '0190f6c1-0000-7000-8000-000000000000';
const email = { channel: 'email', to: ['bob@globex.test'], subject: 'Offer', body: '<p>Hello</p>' };
const preview = (who: string, body: object): Mistake => ({ who, send: 'POST /messages/preview', body });

export const sending: readonly Mistake[] = [
  preview('writes from an account that is not connected', email),
  preview('writes to one address', { ...email, to: 'bob@globex.test' }),
  preview('writes to a name', { ...email, to: ['Bob'] }),
  preview('writes to two addresses in one text', { ...email, to: ['bob@globex.test, eve@globex.test'] }),
  preview('writes to nobody', { ...email, to: [] }),
  preview('leaves the subject of a reply to the service', { ...email, subject: undefined, thread_id: nobody }),
  preview('breaks the subject into lines', { ...email, subject: 'Offer\nfor you' }),
  preview('says nothing', { ...email, body: '<p></p>' }),
  preview('calls the body content', { channel: 'email', to: email.to, subject: 'Offer', content: 'Hello' }),
  preview('writes by telegram', { channel: 'telegram', body: 'Hello' }),
  preview('begins a conversation on LinkedIn', { channel: 'linkedin', body: 'Hello' }),
  preview('writes by WhatsApp to a number', { channel: 'whatsapp', body: 'Hello', to: ['+15550100'] }),
  preview('answers in a thread that there is not', { ...email, thread_id: nobody }),
  { who: 'sends without a preview', send: 'POST /messages/send', body: email },
  { who: 'tries a send out', send: 'POST /messages/send?dry_run=true', body: { ...email, confirm_token: 'x' } },
  { who: 'archives a thread', send: `POST /inbox/threads/${nobody}/mark`, body: { action: 'archive' } },
];
