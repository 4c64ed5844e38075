. examples/pages/all.sh
COMPANY=$(post records/companies '{ "name": "Acme Ltd" }')
globex=$(post records/companies '{ "name": "Globex" }')
ask -X DELETE $service/api/v1/records/companies/$globex
