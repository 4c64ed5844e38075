/** How many event streams a user, an organization and a process may have. */
import { describe, expect, it } from 'vitest';
import { countStreams } from '../../src/operations/door/open-streams.ts';

const caller = (organizationId: string, user: number) => ({
  organizationId,
  workspaceUserId: `${organizationId}${user}`,
});
const bounds = () => countStreams({ mostOfUser: 2, mostOfOrganization: 3, mostOfProcess: 5 });
const refusal = (who: string) =>
  expect.objectContaining({ code: 'UNAVAILABLE', message: expect.stringContaining(`${who} event streams open`) });

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('event streams', () => {
  it('are bounded for a user, for an organization and for the process', () => {
    const take = bounds();
    for (const user of [1, 1, 2]) take(caller('a', user));
    expect(errorOf(() => take(caller('a', 1)))).toEqual(refusal('You have 2'));
    expect(errorOf(() => take(caller('a', 3)))).toEqual(refusal('Your workspace has 3'));
    for (const user of [1, 2]) take(caller('b', user));
    expect(errorOf(() => take(caller('c', 1)))).toEqual(refusal('The service has 5'));
  });

  it('make room when they end, and a refused one takes none', () => {
    const take = bounds();
    const [first] = [1, 1, 2].map((user) => take(caller('a', user)));
    for (let count = 0; count < 10; count++)
      expect(errorOf(() => take(caller('a', 3)))).toEqual(refusal('Your workspace has 3'));
    first?.();
    take(caller('a', 3));
    for (const user of [1, 2]) take(caller('b', user));
    expect(errorOf(() => take(caller('c', 1)))).toEqual(refusal('The service has 5'));
  });
});
