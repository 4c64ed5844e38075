. examples/pages/all.sh
anna=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee" }')
bob=$(post records/contacts '{ "first_name": "Bob", "last_name": "Diaz" }')
DEAL=$(post records/opportunities "{ \"name\": \"Fleet\", \"contacts\": [{ \"id\": \"$bob\", \"role\": \"User\" }] }")
address=$service/api/v1/records/opportunities/$DEAL
THEN=$(ask $address/history | sed 's/.*"at":"\([^"]*\)".*/\1/')
ask -X PATCH -d "{ \"name\": \"Fleet of 20\",
  \"contacts\": [{ \"id\": \"$anna\", \"role\": \"Buyer\" }, { \"id\": \"$bob\", \"role\": \"Driver\" }] }" $address
