/** The registry of providers: which senders and connectors exist. */
import { Type } from 'typebox';
import { errors } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Account } from './accounts.ts';
import type { MessageSender, AccountConnector } from './provider.ts';
import { imapSender } from './imap/imap-sender.ts';
import { imapConnector } from './imap/imap-connector.ts';
import { linkedinConnector } from './linkedin/linkedin-connector.ts';
import { sendAnswer } from './linkedin/unified-api.ts';
import { messengerSender } from './messengers/messenger-sender.ts';
import { sandbox } from './sandbox.ts';
import { telegramConnector } from './telegram/telegram-connector.ts';
import { doubtOfWindow, sendText } from './whatsapp/cloud-api.ts';
import { whatsappConnector } from './whatsapp/whatsapp-connector.ts';

const senders: ReadonlyMap<string, MessageSender> = new Map([
  ['imap', imapSender],
  ['linkedin', messengerSender(sendAnswer)],
  ['sandbox', sandbox],
  ['whatsapp', messengerSender(sendText, doubtOfWindow)],
]);

/** The sender for the account. Throws SEND_NOT_ENABLED if the service has no settings to connect with. */
export function senderOf({ provider, address, isReached }: Account): MessageSender {
  const sender = senders.get(provider);
  if (sender && (isReached || sender === sandbox)) return sender;
  throw errors.sendNotEnabled(address, `this service cannot connect to it at its provider, ${provider}`);
}

/** The casts are safe: settings are checked against their provider's own schema before they are stored. */
const connectors: ReadonlyMap<string, AccountConnector> = new Map([
  ['imap', imapConnector as AccountConnector],
  ['linkedin', linkedinConnector as AccountConnector],
  ['telegram', telegramConnector as AccountConnector],
  ['whatsapp', whatsappConnector as AccountConnector],
]);

/** The schema of the document that connects an account, of any provider. */
export const AccountDocument = Type.Union([...connectors.values()].map(({ schema }) => schema));

/** The connector of the provider's accounts. Throws VALIDATION_ERROR, which names the known providers, and MISSING_REQUIRED_FIELD without a provider. */
export function connectorOf(provider: string | undefined): AccountConnector {
  if (provider === undefined) throw errors.missingField('provider', `one of ${[...connectors.keys()].join(', ')}`);
  const connector = connectors.get(provider);
  if (connector) return connector;
  throw errors.unknownName('provider', provider, [...connectors.keys()], didYouMean(provider, connectors.keys()));
}
