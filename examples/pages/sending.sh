. examples/pages/all.sh
KITH_TOKEN=$(token_of 'Ada King' ada@acme.test Admin)
kith ingest --file - --json <<'END'
{"kind":"integration","user":"ada@acme.test","provider":"sandbox","channels":["email"],"account_email":"ada@acme.test","send_enabled":true}
{"kind":"interaction","user":"ada@acme.test","channel":"email","external_thread_id":"t-1","external_id":"m-1","subject":"Offer","date":"2026-10-01T09:00:00Z","from":"Anna Lee <anna@globex.test>","to":["ada@acme.test"],"content_text":"Could you send the offer by Friday?"}
END
THREAD=$(ask $service/api/v1/inbox/threads | sed 's/.*"id":"\([^"]*\)".*/\1/')
