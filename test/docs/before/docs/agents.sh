ln -s "$MODULES" node_modules
curl --oauth2-bearer $KITH_TOKEN -H 'Content-Type: application/json' -d '{"name":"Globex"}' http://127.0.0.1:3000/api/v1/records/companies > /dev/null
