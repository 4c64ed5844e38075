import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { useObject, useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import type { Party } from './addresses.ts';
import styles from './inbox.module.css';

/** The card of the contact that the thread is with, or a note that there is none. */
export function ContactCard({
  party,
  contact,
  children,
}: {
  party: Party;
  contact: KithRecord | undefined;
  children: ReactNode;
}) {
  const { inbox } = useTexts();
  const { reader } = useWorkspace();
  const object = useObject('contacts');
  const name = contact ? nameOf(contact, reader.displayFields['contacts']) : party.name;
  return (
    <aside className={styles.card} aria-label={inbox.contact}>
      <div className={styles.cardHead}>
        <Avatar name={name} size="large" />
        <div className="clip">
          {contact ? (
            <Link to="/r/$object/$id" params={{ object: 'contacts', id: contact.id }} className={styles.cardName}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi className={styles.cardName}>{name}</bdi>
          )}
          {typeof contact?.['job_title'] === 'string' && <p className="dim clip">{contact['job_title']}</p>}
        </div>
      </div>
      {contact ? (
        <dl className={styles.facts}>
          {(object?.fields ?? []).map(({ name: field, label }) => (
            <Fact key={field} record={contact} field={field} label={label} />
          ))}
        </dl>
      ) : (
        object && <p className={`${styles.missing} dim`}>{inbox.noContact(party.address)}</p>
      )}
      {children}
    </aside>
  );
}

/** A relation or address of the contact. */
function Fact({ record, field, label }: { record: KithRecord; field: string; label: string }) {
  const object = useObject('contacts');
  const { relationConfig, type } = object?.fields.find(({ name }) => name === field) ?? {};
  const value = record[field];
  const display = record[`${field}_display`];
  const target = relationConfig?.targetObjectName;
  let shown: ReactNode;
  if (type === 'RELATION' && typeof display === 'string' && typeof value === 'string' && target !== undefined)
    shown = (
      <Link to="/r/$object/$id" params={{ object: target, id: value }}>
        <bdi>{display}</bdi>
      </Link>
    );
  else if (type === 'USERS' && field === 'owner' && typeof display === 'string') shown = <bdi>{display}</bdi>;
  else if (type === 'PHONES' && Array.isArray(value)) shown = firstOf(value, ['phone', 'number', 'value']);
  else if (type === 'EMAILS' && Array.isArray(value)) shown = firstOf(value, ['email', 'value']);
  return shown === undefined ? undefined : (
    <div>
      <dt>{label}</dt>
      <dd className="clip">{shown}</dd>
    </div>
  );
}

function firstOf(values: readonly unknown[], names: readonly string[]): string | undefined {
  const [first] = values as Record<string, unknown>[];
  const found = names.map((name) => first?.[name]).find((value) => typeof value === 'string');
  return found;
}
