anna=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee" }')
bob=$(post records/contacts '{ "first_name": "Bob", "last_name": "Diaz" }')
DEAL=$(post records/opportunities "{ \"name\": \"Fleet\", \"contacts\": [{ \"id\": \"$bob\", \"role\": \"User\" }] }")
address=http://127.0.0.1:3000/api/v1/records/opportunities/$DEAL
THEN=$(curl --oauth2-bearer $KITH_TOKEN $address/history | sed 's/.*"at":"\([^"]*\)".*/\1/')
curl --oauth2-bearer $KITH_TOKEN -H 'Content-Type: application/json' -X PATCH -d "{ \"name\": \"Fleet of 20\",
  \"contacts\": [{ \"id\": \"$anna\", \"role\": \"Buyer\" }, { \"id\": \"$bob\", \"role\": \"Driver\" }] }" $address
