/** The form for an account: what is typed into it, by the names of the document, and what the service says to it. */
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

/** An account that is connected by now. */
export interface Connected {
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
}

export interface ConnectForm {
  readonly kind: Kind;
  choose(kind: Kind): void;
  /** What a field holds: what was typed, else what the address says. */
  value(name: string): string;
  type(name: string, value: string): void;
  readonly guess: Guess;
  /** What is wrong with a field. */
  errorOf(name: string): string | undefined;
  /** What is wrong otherwise. */
  readonly problem: string | undefined;
  readonly isWorking: boolean;
  /** The last one. */
  readonly connected: Connected | undefined;
  /** Begins anew with an address. */
  start(kind: Kind, address: string): void;
  /** Connects the account. What was typed stays where that is refused, else nothing of it does. */
  send(document: AccountDocument): Promise<void>;
}

/** The form's state; `onConnected` is told each account. `address` is what an empty form begins with. */
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
