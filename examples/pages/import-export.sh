. examples/pages/all.sh
post records/companies '{ "name": "Globex", "industry": "software" }'
post records/companies '{ "name": "Initech", "industry": "consulting" }'
post records/companies '{ "name": "Umbrella", "industry": "biotechnology" }'
