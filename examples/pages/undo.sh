. examples/pages/all.sh
ACME=$(post records/companies '{ "name": "Acme", "employees": 200 }')
