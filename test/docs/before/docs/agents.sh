ln -s "$MODULES" node_modules
curl --oauth2-bearer $KITH_TOKEN -H 'Content-Type: application/json' -d '{"name":"Globex"}' http://127.0.0.1:3000/api/v1/records/companies > /dev/null
kith user create --name 'Ada King' --email ada@acme.test --role Admin --json > ada.json
KITH_TOKEN=$(sed 's/.*"token":"\([^"]*\)".*/\1/' ada.json)
echo '{"kind":"integration","user":"ada@acme.test","provider":"sandbox","channels":["email"],"account_email":"ada@acme.test","send_enabled":true}' > account.jsonl
kith ingest --file account.jsonl --json
