/** Numbers of WhatsApp as accounts: all that there is comes by the hook. [contract: Accounts, Hooks] */
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../lib/same-secret.ts';
import type { AccountConnector } from '../provider.ts';
import { noteDeliveries, recognizeSent } from '../messengers/deliveries.ts';
import { takeMessages } from '../messengers/take-messages.ts';
import { askForNumber } from './cloud-api.ts';
import { changesIn } from './told-changes.ts';
import { WhatsappAccount, type WhatsappSettings } from './whatsapp-settings.ts';

/** By the Cloud API. It gives no messages: a look finds out whether the token is still good. */
export const whatsappConnector: AccountConnector<WhatsappSettings> = {
  schema: WhatsappAccount,
  channelsOf: () => ['whatsapp'],
  tryOut: askForNumber,
  bringIn: (call, _account, settings) => askForNumber(call, settings),
  hook: {
    isGenuine({ app_secret: key }, { headers, body }) {
      const wanted = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
      return isSameSecret(String(headers['x-hub-signature-256'] ?? ''), wanted);
    },
    confirmed({ verify_token: wanted }, query) {
      const isAsked = query.get('hub.mode') === 'subscribe';
      const isKnown = isSameSecret(query.get('hub.verify_token') ?? '', wanted);
      return isAsked && isKnown ? (query.get('hub.challenge') ?? '') : undefined;
    },
    receive(call, account, settings, told) {
      const { messages, states } = changesIn(told, settings);
      return takeMessages(call, account, 'whatsapp', messages, async (tx) => {
        await noteDeliveries(call, tx, account, 'whatsapp', states);
        await recognizeSent(call, tx, account, 'whatsapp', messages);
      });
    },
  },
};
