/** Counts open event streams per user, organization and process. */
import type { Caller } from '../../access/caller.ts';
import { KithError } from '../../errors.ts';

/** The most streams that may be open in one process. */
export interface MostStreams {
  readonly mostOfUser: number;
  readonly mostOfOrganization: number;
  readonly mostOfProcess: number;
}

/** Counts one stream of the caller and returns a function that gives it back. Throws UNAVAILABLE at a limit. */
export type TakeStream = (caller: Pick<Caller, 'workspaceUserId' | 'organizationId'>) => () => void;

/** Makes the stream counter of a process. */
export function countStreams({ mostOfUser, mostOfOrganization, mostOfProcess }: MostStreams): TakeStream {
  const open = new Map<string, number>();
  const countOf = (key: string) => open.get(key) ?? 0;
  return ({ workspaceUserId, organizationId }) => {
    const bounds = [
      { key: `user ${workspaceUserId}`, most: mostOfUser, who: 'You have' },
      { key: `organization ${organizationId}`, most: mostOfOrganization, who: 'Your workspace has' },
      { key: 'process', most: mostOfProcess, who: 'The service has' },
    ];
    for (const { key, most, who } of bounds) if (countOf(key) >= most) throw tooMany(who, most);
    for (const { key } of bounds) open.set(key, countOf(key) + 1);
    return () => {
      for (const { key } of bounds) {
        const left = countOf(key) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      }
    };
  };
}

function tooMany(who: string, most: number): KithError {
  const remedy = who === 'The service has' ? 'try again later' : 'close one of them';
  return new KithError('UNAVAILABLE', `${who} ${most} event streams open, and may have no more: ${remedy}`);
}
