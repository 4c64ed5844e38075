. examples/pages/all.sh
ask $service/api/v1/manifest -d '{ "objects": [{ "name": "deals", "fields": [
  { "name": "name", "type": "TEXT" }, { "name": "worth", "type": "NUMBER" },
  { "name": "stage", "type": "SELECT", "options": [{ "value": "open" }, { "value": "won" }] }] }] }'
post records/deals '{ "name": "Globex", "worth": 12000, "stage": "open" }'
post records/deals '{ "name": "Initech", "worth": 8000, "stage": "won" }'
