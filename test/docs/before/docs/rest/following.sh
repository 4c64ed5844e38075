ACME=$(post records/companies '{ "name": "Acme" }')
curl --oauth2-bearer $KITH_TOKEN -H 'Content-Type: application/json' -X PATCH -d '{ "domain": "acme.example" }' "http://127.0.0.1:3000/api/v1/records/companies/$ACME" > changed.json
# Whoever else is at work on the server holds the feed back.
until curl --oauth2-bearer $KITH_TOKEN 'http://127.0.0.1:3000/api/v1/events' | grep -q record.updated; do :; done
