. examples/pages/all.sh
GLOBEX=$(post records/companies '{ "name": "Globex", "employees": 40 }')
TWIN=$(post records/companies '{ "name": " globex", "industry": "software", "linkedin_url": "linkedin.com/company/globex" }')
ANNA=$(post records/contacts "{ \"first_name\": \"Anna\", \"company_id\": \"$TWIN\" }")
