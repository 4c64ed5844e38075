# What compose.yaml has the postgres image run once, when it makes its cluster: a role for Kith that owns its database and has
# no other right on the server. From the socket that both containers share, nobody is taken for the superuser:
# `docker compose exec --user postgres postgres psql` is.
psql --no-psqlrc --username postgres --set ON_ERROR_STOP=1 \
  --command 'create role kith login' --command 'create database kith owner kith'
printf '%s\n' 'local kith kith trust' 'local all postgres peer' > "$PGDATA/pg_hba.conf"
