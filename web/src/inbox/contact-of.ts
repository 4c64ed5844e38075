/** The user or contact with an address; contacts are fetched once. */
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { useObject, useWorkspace } from '../app/workspace-context.tsx';
import { isSame, type Party } from './addresses.ts';

/** Contacts of addresses change seldom, and every row of the list asks for one. */
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
  const { reader, users } = useWorkspace();
  const user = party && [...users.values()].find(({ email }) => isSame(email, party.address));
  const contact = useContactOf(user ? undefined : party?.address);
  if (user) return user.name;
  return contact ? nameOf(contact, reader.displayFields['contacts']) : party?.name;
}
