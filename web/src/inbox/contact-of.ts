/** The user or contact with an address; contacts are fetched once. */
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { useObject, useWorkspace } from '../app/workspace-context.tsx';
import { comparable, isSame, type Party } from './addresses.ts';

/** Contacts of addresses change seldom, and every message asks for some. */
const freshMs = 300_000;

/** The contact with this address; undefined if there is none or it is hidden from the reader. */
export function useContactOf(address: string | undefined): KithRecord | undefined {
  const contacts = useObject('contacts');
  const { data } = useQuery({
    queryKey: [...keys.threads, 'contact', address],
    staleTime: freshMs,
    queryFn: ({ signal }) => kith.records.list('contacts', { search: address ?? '', limit: 1 }, { signal }),
    enabled: contacts !== undefined && address !== undefined && address !== '',
  });
  return data?.data[0];
}

/** The participant's name: the user's or contact's, else the one in the message. */
export function useNameOf(party: Pick<Party, 'name' | 'address'> | undefined): string | undefined {
  const { reader } = useWorkspace();
  const user = useUserWith(party?.address);
  const contact = useContactOf(user ? undefined : party?.address);
  if (user) return user.name;
  return contact ? nameOf(contact, reader.displayFields['contacts']) : party?.name;
}

/** As `useNameOf`, with the contacts that came with the message. */
export function useNameAmong(
  contacts: readonly { readonly address: string; readonly display: string | null }[],
  party: Party | undefined,
): string | undefined {
  const user = useUserWith(party?.address);
  const contact = party && contacts.find(({ address }) => address === comparable(party.address));
  return user?.name ?? contact?.display ?? party?.name;
}

function useUserWith(address: string | undefined) {
  const { users } = useWorkspace();
  return address === undefined ? undefined : [...users.values()].find(({ email }) => isSame(email, address));
}
