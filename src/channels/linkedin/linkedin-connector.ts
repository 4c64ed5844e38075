/** Accounts of LinkedIn: history and what is missed by lists, what is new by the hook. [contract: Accounts, Hooks] */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import { isSameSecret } from '../../lib/same-secret.ts';
import type { AccountConnector } from '../provider.ts';
import { noteExpired } from '../kept-accounts.ts';
import type { Mailbox } from '../mailbox.ts';
import { deliveryStateIn, noteDeliveries, recognizeSent } from '../messengers/deliveries.ts';
import { takeMessages } from '../messengers/take-messages.ts';
import { objectIn, textIn } from '../messengers/told.ts';
import { LinkedinAccount, type LinkedinSettings } from './linkedin-settings.ts';
import { disconnected, requireConnected, syncChats } from './sync-chats.ts';
import { toldMessageIn } from './told-messages.ts';
import { pagesOf } from './unified-api.ts';

/** By the interface of Unipile. */
export const linkedinConnector: AccountConnector<LinkedinSettings> = {
  schema: LinkedinAccount,
  channelsOf: () => ['linkedin'],
  async tryOut(call, settings) {
    await requireConnected(call, settings);
    const query = { account_id: settings.account_id, limit: '1' };
    await pagesOf(call, settings, { path: ['chats'], query }).next();
  },
  async bringIn(call, account, settings) {
    await requireConnected(call, settings);
    await syncChats(call, account, settings);
  },
  hook: {
    isGenuine: ({ webhook_secret: wanted }, { headers }) => isSameSecret(String(headers['unipile-auth'] ?? ''), wanted),
    receive: (call, account, settings, told) => receive(call, account, settings, objectIn(told)),
  },
};

async function receive(call: Call, account: Mailbox, settings: LinkedinSettings, told: JsonObject): Promise<void> {
  const status = objectIn(told['AccountStatus']);
  if (textIn(status['account_id']) === settings.account_id && textIn(status['message']) === 'CREDENTIALS') {
    const { message } = disconnected();
    await call.workspace.transaction(({ run }) => run(noteExpired(call, account.integrationId, message)));
  }
  // A hook may tell of several accounts.
  if (textIn(told['account_id']) !== settings.account_id) return;
  const event = textIn(told['event']);
  const message = event === 'message_received' ? toldMessageIn(told, settings) : undefined;
  const messages = message ? [message] : [];
  const id = textIn(told['message_id']);
  const state = deliveryStateIn(event?.replace(/^message_/, ''));
  await takeMessages(call, account, 'linkedin', messages, async (tx) => {
    await recognizeSent(call, tx, account, 'linkedin', messages);
    if (id !== undefined && state !== undefined) await noteDeliveries(call, tx, account, 'linkedin', [{ id, state }]);
  });
}
