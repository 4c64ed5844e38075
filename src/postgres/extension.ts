/** The extension that searching needs. */

/** DDL that makes it where it is not. It asks before: on Citus, `if not exists` is for the owner of the extension alone. */
export const createTrigrams = `do $$ begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then create extension pg_trgm schema public; end if;
end $$`;
