/** The state of the form for an account: typed values, by the document's names, and the service's errors. */
import { useState } from 'react';
import { fieldErrorOf, fieldErrorsOf, kith, messageOf } from '../../api/kith.ts';
import { refreshAccounts } from './account-data.ts';
import { guessed, type Guess } from './guessed.ts';

export const kinds = ['imap', 'telegram', 'whatsapp', 'linkedin'] as const;
export type Kind = (typeof kinds)[number];
export type AccountDocument = Parameters<typeof kith.accounts.add>[0];

type Typed = Readonly<Record<string, string>>;
type Drafts = Readonly<Record<Kind, Typed>>;

const blank: Drafts = { imap: {}, telegram: {}, whatsapp: {}, linkedin: {} };

/** An account that was just connected. */
export interface Connected {
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
}

export interface ConnectForm {
  readonly kind: Kind;
  choose(kind: Kind): void;
  /** The value of a field: typed, else guessed from the address. */
  value(name: string): string;
  type(name: string, value: string): void;
  readonly guess: Guess;
  /** The error of a field. */
  errorOf(name: string): string | undefined;
  /** An error that belongs to no field. */
  readonly problem: string | undefined;
  readonly isWorking: boolean;
  /** The account connected last. */
  readonly connected: Connected | undefined;
  /** Resets the form to an address. */
  start(kind: Kind, address: string): void;
  /** Connects the account. Typed values stay if that is refused, and are cleared otherwise. */
  send(document: AccountDocument): Promise<void>;
}

/** The form's state; `onConnected` is called for each connected account. `address` is the initial value of an empty form. */
export function useConnect(address: string, onConnected: (account: Connected) => void): ConnectForm {
  const [kind, setKind] = useState<Kind>('imap');
  const [drafts, setDrafts] = useState<Drafts>(blank);
  const [error, setError] = useState<unknown>();
  const [isWorking, setWorking] = useState(false);
  const [connected, setConnected] = useState<Connected>();
  const typed = drafts[kind];
  const usual: Typed = kind === 'imap' ? { account_email: address } : {};
  const guess = guessed(typed['account_email'] ?? usual['account_email'] ?? '');
  const fill = (of: Kind, values: Typed) => setDrafts((all) => ({ ...all, [of]: values }));
  return {
    kind,
    choose(wanted) {
      setKind(wanted);
      setError(undefined);
    },
    value: (name) => typed[name] ?? usual[name] ?? (kind === 'imap' ? guess.values[name] : undefined) ?? '',
    type: (name, value) => setDrafts((all) => ({ ...all, [kind]: { ...all[kind], [name]: value } })),
    guess,
    errorOf: (name) => fieldErrorOf(error, name),
    problem: error === undefined || fieldErrorsOf(error).length > 0 ? undefined : messageOf(error),
    isWorking,
    connected,
    start(of, with_) {
      setKind(of);
      setError(undefined);
      fill(of, { account_email: with_ });
    },
    async send(document) {
      setWorking(true);
      setError(undefined);
      setConnected(undefined);
      try {
        const { integrationId: id, account_email: name } = await kith.accounts.add(document);
        fill(kind, {});
        setConnected({ id, kind, name });
        onConnected({ id, kind, name });
        await refreshAccounts();
      } catch (thrown) {
        setError(thrown);
      }
      setWorking(false);
    },
  };
}
