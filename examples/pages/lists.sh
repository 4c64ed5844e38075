. examples/pages/all.sh
globex=$(post records/companies '{ "name": "Globex", "industry": "software" }')
post records/opportunities "{ \"name\": \"Fleet\", \"amount\": { \"amount\": 120000, \"currency\": \"EUR\" }, \"company_id\": \"$globex\" }"
post records/opportunities "{ \"name\": \"Depot\", \"amount\": 9000.5, \"company_id\": \"$globex\" }"
post records/opportunities '{ "name": "Crane", "amount": 700, "pipeline_step_id": "Proposal" }'
