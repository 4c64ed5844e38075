/** Connects and syncs LinkedIn accounts: messages arrive by webhook; history and missed ones are listed. [contract: Accounts, Hooks] */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import { isSameSecret } from '../../lib/same-secret.ts';
import type { AccountConnector } from '../provider.ts';
import { noteExpired } from '../kept-accounts.ts';
import type { Mailbox } from '../mailbox.ts';
import { deliveryStateIn, noteDeliveries, recognizeSent } from '../messengers/deliveries.ts';
import { takeMessages } from '../messengers/take-messages.ts';
import { objectIn, textIn } from '../messengers/json-values.ts';
import { LinkedinAccount, type LinkedinSettings } from './linkedin-settings.ts';
import { disconnected, requireConnected, syncChats } from './sync-chats.ts';
import { webhookMessageIn } from './chat-messages.ts';
import { pagesOf } from './unified-api.ts';

/** The connector for LinkedIn by the API of Unipile. */
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
    receive: (call, account, settings, body) => receive(call, account, settings, objectIn(body)),
  },
};

async function receive(call: Call, account: Mailbox, settings: LinkedinSettings, body: JsonObject): Promise<void> {
  const status = objectIn(body['AccountStatus']);
  if (textIn(status['account_id']) === settings.account_id && textIn(status['message']) === 'CREDENTIALS') {
    const { message } = disconnected();
    await call.workspace.transaction(({ run }) => run(noteExpired(call, account.integrationId, message)));
  }
  // A webhook may be shared by several accounts.
  if (textIn(body['account_id']) !== settings.account_id) return;
  const event = textIn(body['event']);
  const message = event === 'message_received' ? webhookMessageIn(body, settings) : undefined;
  const messages = message ? [message] : [];
  const id = textIn(body['message_id']);
  const state = deliveryStateIn(event?.replace(/^message_/, ''));
  await takeMessages(call, account, 'linkedin', messages, async (tx) => {
    await recognizeSent(call, tx, account, 'linkedin', messages);
    if (id !== undefined && state !== undefined) await noteDeliveries(call, tx, account, 'linkedin', [{ id, state }]);
  });
}
