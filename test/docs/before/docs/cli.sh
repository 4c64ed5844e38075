post manifest '{ "organization": { "name": "Acme" } }'
kith user create --name 'Bob Diaz' --email bob@acme.test --role Member
COMPANY=$(post records/companies '{ "name": "Initech", "industry": "consulting" }')
printf '%s' "$EAST_URL" > url.txt
