/** Transactions that notify users: notifications are written with the change, and listeners of this process are woken. [spec: Events] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { authorOf, leaveNotifications, type NotificationKind } from '../../records/writing/leave.ts';
import { notificationListening } from './notification-listeners.ts';

/** Notifies each of the users once, but not the caller. */
export type Notify = (
  object: ObjectDef,
  recordId: string,
  kind: NotificationKind,
  users: readonly Cell[],
) => Promise<void>;

/** Runs `work` in a transaction, then wakes the listeners of this process if it has notified users. */
export async function notifyingTransaction(
  call: Call,
  work: (tx: WorkspaceTransaction, notify: Notify) => Promise<void>,
): Promise<void> {
  const hasNotified = await call.workspace.transaction(async (tx) => {
    let count = 0;
    await work(tx, async (object, recordId, kind, users) => {
      const recipients = [...new Set(users)].flatMap((id) => (id === null || id === call.me ? [] : [id]));
      const notifications = recipients.map((userId) => ({ userId, kind, objectId: object.id, recordId }));
      count += recipients.length;
      if (recipients.length > 0) await tx.run(leaveNotifications(authorOf(call), call.now, notifications));
    });
    return count > 0;
  });
  if (hasNotified) await call.workspace.afterwards(async () => notificationListening.lookAtOnce(call));
}
