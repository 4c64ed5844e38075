/** Connects WhatsApp numbers, whose messages all arrive by webhook. [contract: Accounts, Hooks] */
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../lib/same-secret.ts';
import type { AccountConnector } from '../provider.ts';
import { noteDeliveries, recognizeSent } from '../messengers/deliveries.ts';
import { takeMessages } from '../messengers/take-messages.ts';
import { askForNumber } from './cloud-api.ts';
import { changesIn } from './webhook-changes.ts';
import { WhatsappAccount, type WhatsappSettings } from './whatsapp-settings.ts';

/** The connector for the Cloud API. It cannot list messages, so a sync only checks that the token is still valid. */
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
      const isSubscription = query.get('hub.mode') === 'subscribe';
      const isKnown = isSameSecret(query.get('hub.verify_token') ?? '', wanted);
      return isSubscription && isKnown ? (query.get('hub.challenge') ?? '') : undefined;
    },
    receive(call, account, settings, body) {
      const { messages, states } = changesIn(body, settings);
      return takeMessages(call, account, 'whatsapp', messages, async (tx) => {
        await noteDeliveries(call, tx, account, 'whatsapp', states);
        await recognizeSent(call, tx, account, 'whatsapp', messages);
      });
    },
  },
};
