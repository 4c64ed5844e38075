kith user create --name 'Ada King' --email ada@acme.test --role Admin --json > ada.json
KITH_TOKEN=$(sed 's/.*"token":"\([^"]*\)".*/\1/' ada.json)
cat > mailbox.jsonl <<'END'
{"kind":"integration","user":"ada@acme.test","provider":"sandbox","channels":["email"],"account_email":"ada@acme.test","send_enabled":true}
{"kind":"interaction","user":"ada@acme.test","channel":"email","external_thread_id":"t-1","external_id":"m-1","subject":"Offer","date":"2026-10-01T09:00:00Z","from":"Anna Lee <anna@globex.test>","to":["ada@acme.test"],"content_text":"Could you send the offer by Friday?"}
END
kith ingest --file mailbox.jsonl --json
THREAD=$(curl -s --oauth2-bearer "$KITH_TOKEN" http://127.0.0.1:3000/api/v1/inbox/threads | sed 's/.*"id":"\([^"]*\)".*/\1/')
