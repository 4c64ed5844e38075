curl -s --oauth2-bearer $KITH_TOKEN -H 'content-type: application/json' http://127.0.0.1:3000/api/v1/manifest -d '{ "objects": [{ "name": "deals", "fields": [
  { "name": "name", "type": "TEXT" }, { "name": "worth", "type": "NUMBER" },
  { "name": "stage", "type": "SELECT", "options": [{ "value": "open" }, { "value": "won" }] }] }] }'
post records/deals '{ "name": "Globex", "worth": 12000, "stage": "open" }'
post records/deals '{ "name": "Initech", "worth": 8000, "stage": "won" }'
