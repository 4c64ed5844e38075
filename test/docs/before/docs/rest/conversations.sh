ANNA=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee", "emails": "anna@globex.test" }')
kith user create --name 'Ada King' --email ada@acme.test --role Admin --json > ada.json
KITH_TOKEN=$(sed 's/.*"token":"\([^"]*\)".*/\1/' ada.json)
