. examples/pages/all.sh
post records/companies '{ "name": "Globex", "industry": "software", "annual_revenue": 1200000 }'
post records/companies '{ "name": "Initech", "industry": "consulting", "annual_revenue": 450000 }'
