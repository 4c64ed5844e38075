. examples/pages/all.sh
ANNA=$(post records/contacts '{ "first_name": "Anna", "last_name": "Ode" }')
BEN=$(post records/contacts '{ "first_name": "Ben", "last_name": "Ulm" }')
DEAL=$(post records/opportunities "{ \"name\": \"Fleet\", \"contacts\": [{ \"id\": \"$ANNA\", \"role\": \"Buyer\" }] }")
OTHER=$(post records/opportunities '{ "name": "Depot" }')
