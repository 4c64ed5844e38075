. examples/pages/all.sh
ANNA=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee", "emails": "anna@globex.test" }')
KITH_TOKEN=$(token_of 'Ada King' ada@acme.test Admin)
