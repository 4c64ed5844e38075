/** The extension that searching needs. */

/**
 * DDL that creates it if missing. Tests first, since on Citus `if not exists` is allowed only to the extension's
 * owner.
 */
export const createTrigrams = `do $$ begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then create extension pg_trgm schema public; end if;
end $$`;
