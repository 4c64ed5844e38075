/** Remedies for the operator of a PostgreSQL that refuses Kith, or a statement of it. */
import { Client } from 'pg';
import { connectReason, sqlState, unavailable } from './failure.ts';

/** `error` with PostgreSQL's message and the remedy; undefined unless a right, a role or a database is missing. */
export function refusalOf(error: unknown, databaseUrl: string): Error | undefined {
  const remedy = remedyOf(error, databaseUrl);
  return remedy === undefined
    ? undefined
    : unavailable(`PostgreSQL refuses: ${connectReason(error)}. ${remedy}`, error);
}

function remedyOf(error: unknown, databaseUrl: string): string | undefined {
  // The driver fills in what the URL omits.
  const { user = '', database = '' } = new Client({ connectionString: databaseUrl });
  const role = quoted(user);
  switch (sqlState(error)) {
    case '28P01':
      return `Put the right user and password into DATABASE_URL, or as a superuser: alter role ${role} password '…'`;
    case '28000':
      return `Let the role in by pg_hba.conf; where there is none, as a superuser: create role ${role} login password '…'`;
    case '3D000':
      return `As a superuser: create database ${quoted(database)} owner ${role}`;
    case '42501':
      return `As the database's owner: grant connect, create on database ${quoted(database)} to ${role}`;
    default:
      return asksForPassword(error) ? 'DATABASE_URL has no password, and PostgreSQL asks for one' : undefined;
  }
}

/** The driver's own error, which has no code. */
function asksForPassword(error: unknown): boolean {
  return /client password must be a/.test(connectReason(error));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
