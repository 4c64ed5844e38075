/** The channels of conversations. The tools and pages that offer some of them name these on their own. */

/** Mailboxes and calendars: others than the owner may see their messages, as far as the content visibility goes. */
export const sharedChannels = ['email', 'meeting'] as const;

/** Messengers: a thread belongs to the person whose account it is. [spec: Interaction thread] */
export const messengerChannels = ['linkedin', 'whatsapp', 'telegram'] as const;

export const channels = [...sharedChannels, ...messengerChannels] as const;

/** Channels that messages can be sent through. [spec: crm_send_message] */
export const sendChannels = ['email', 'linkedin', 'whatsapp'] as const;

export type SendChannel = (typeof sendChannels)[number];
