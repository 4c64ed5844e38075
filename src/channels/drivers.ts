/** The providers that the service can reach. */
import { Type } from 'typebox';
import { errors } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Account } from './accounts.ts';
import type { Driver, Reach } from './driver.ts';
import { imap } from './imap/imap-driver.ts';
import { imapReach } from './imap/imap-reach.ts';
import { linkedinReach } from './linkedin/linkedin-reach.ts';
import { sendAnswer } from './linkedin/unified-api.ts';
import { messengerDriver } from './messengers/messenger-driver.ts';
import { sandbox } from './sandbox.ts';
import { telegramReach } from './telegram/telegram-reach.ts';
import { doubtOfWindow, sendText } from './whatsapp/cloud-api.ts';
import { whatsappReach } from './whatsapp/whatsapp-reach.ts';

const drivers: ReadonlyMap<string, Driver> = new Map([
  ['imap', imap],
  ['linkedin', messengerDriver(sendAnswer)],
  ['sandbox', sandbox],
  ['whatsapp', messengerDriver(sendText, doubtOfWindow)],
]);

/** The driver of the account. Throws SEND_NOT_ENABLED where there is none: nobody has told how the account is reached. */
export function driverOf({ provider, address, isReached }: Account): Driver {
  const driver = drivers.get(provider);
  if (driver && (isReached || driver === sandbox)) return driver;
  throw errors.sendNotEnabled(address, `this service does not reach it at its provider, ${provider}`);
}

/** Settings are checked against the provider's own schema before they are stored. */
const reaches: ReadonlyMap<string, Reach> = new Map([
  ['imap', imapReach as Reach],
  ['linkedin', linkedinReach as Reach],
  ['telegram', telegramReach as Reach],
  ['whatsapp', whatsappReach as Reach],
]);

/** What is said of an account when it is connected. */
export const AccountDocument = Type.Union([...reaches.values()].map(({ schema }) => schema));

/** How the service reaches accounts of the provider. Throws VALIDATION_ERROR with those that it does reach, MISSING_REQUIRED_FIELD without a provider. */
export function reachOf(provider: string | undefined): Reach {
  if (provider === undefined) throw errors.missingField('provider', `one of ${[...reaches.keys()].join(', ')}`);
  const reach = reaches.get(provider);
  if (reach) return reach;
  throw errors.unknownName('provider', provider, [...reaches.keys()], didYouMean(provider, reaches.keys()));
}
