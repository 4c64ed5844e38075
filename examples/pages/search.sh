. examples/pages/all.sh
globex=$(post records/companies '{ "name": "Globex", "domain": "globex.test" }')
post records/companies '{ "name": "Globex Logistics" }'
post records/contacts "{ \"first_name\": \"Anna\", \"last_name\": \"Lee\", \"emails\": \"anna@globex.test\", \"phones\": \"+49 30 98765432\", \"company_id\": \"$globex\" }"
post tasks '{ "title": "Call Globex back" }'
