/**
 * The role of the service: it owns the database and its contents, and has no other right on the server. Only the
 * supervisor uses the superuser, which could run programs and read files.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { openSession } from '../session.ts';
import type { ServerAddress } from '../session.ts';
import { newPassword, readPassword } from './password.ts';

const role = 'kith_service';

/** Also converts an older cluster, in which the service used the superuser. */
const ownership = `do $$
declare
  place record;
  thing record;
begin
  for place in
    select n.oid, n.nspname, n.nspowner = current_user::regrole as is_own from pg_namespace n
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and (n.nspowner = current_user::regrole
      or n.oid in (select relnamespace from pg_class where relowner = current_user::regrole))
  loop
    if place.is_own then execute format('alter schema %I owner to ${role}', place.nspname); end if;
    for thing in
      select c.oid::regclass as name from pg_class c
      where c.relnamespace = place.oid and c.relowner = current_user::regrole and c.relkind in ('r', 'p', 'v', 'm', 'S')
        -- What belongs to an extension stays; a sequence of a column goes with its table.
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype = 'e' or (c.relkind = 'S' and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass)))
    loop
      execute format('alter table %s owner to ${role}', thing.name);
    end loop;
    commit; -- all at once would be more locks than a server has room for
  end loop;
end $$`;

/** Creates or corrects the role, on a new or an old cluster, and returns its address. Idempotent. */
export async function ensureServiceRole(superuser: ServerAddress, passwordFile: string): Promise<ServerAddress> {
  const password = ensurePassword(passwordFile);
  const session = await openSession(superuser, { pipelined: false, statementTimeoutMs: 0 });
  try {
    await session.script(`
      do $$
      declare granted regrole;
      begin
        if to_regrole('${role}') is null then create role ${role}; end if;
        for granted in select roleid from pg_auth_members where member = to_regrole('${role}') loop
          execute format('revoke %s from ${role}', granted);
        end loop;
      end $$;
      alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
      alter database ${superuser.database} owner to ${role}`);
    await session.script(ownership);
  } finally {
    await session.close();
  }
  return { ...superuser, user: role, password };
}

function ensurePassword(file: string): string {
  if (!existsSync(file)) {
    writeFileSync(file, `${newPassword()}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readServicePassword(file);
}

/** Reads the service's password. Throws UNAVAILABLE as `readPassword`. */
export function readServicePassword(file: string): string {
  return readPassword(file, 'remove the file and restart the service, which makes a new one');
}
