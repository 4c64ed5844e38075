COMPANY=$(post records/companies '{ "name": "Acme Ltd" }')
globex=$(post records/companies '{ "name": "Globex" }')
curl --oauth2-bearer $KITH_TOKEN -X DELETE http://127.0.0.1:3000/api/v1/records/companies/$globex
