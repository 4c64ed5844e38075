/** The providers that the service can reach. */
import { errors } from '../errors.ts';
import type { Account } from './accounts.ts';
import type { Driver, Reach } from './driver.ts';
import { imap } from './imap/imap-driver.ts';
import { imapReach } from './imap/imap-reach.ts';
import { sandbox } from './sandbox.ts';
import { telegramReach } from './telegram/telegram-reach.ts';

const drivers: ReadonlyMap<string, Driver> = new Map([
  ['imap', imap],
  ['sandbox', sandbox],
]);

/** The driver of the account's provider. Throws SEND_NOT_ENABLED where there is none: the account was brought in for what it had. */
export function driverOf({ provider, address }: Account): Driver {
  const driver = drivers.get(provider);
  if (driver) return driver;
  throw errors.sendNotEnabled(address, `this service does not reach its provider, ${provider}`);
}

/** Settings are checked against the provider's own schema before they are stored. */
const reaches: ReadonlyMap<string, Reach> = new Map([
  ['imap', imapReach as Reach],
  ['telegram', telegramReach as Reach],
]);

/** How the service reaches accounts of the provider. Throws VALIDATION_ERROR with those that it does reach. */
export function reachOf(provider: string): Reach {
  const reach = reaches.get(provider);
  if (reach) return reach;
  throw errors.unknownName('provider', provider, [...reaches.keys()]);
}
