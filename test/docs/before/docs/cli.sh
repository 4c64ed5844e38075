post manifest '{ "organization": { "name": "Acme" }, "objects": [{ "name": "contacts", "fields": [{ "name": "fax", "type": "TEXT" }] }] }'
kith user create --name 'Bob Diaz' --email bob@acme.test --role Member
COMPANY=$(post records/companies '{ "name": "Initech", "industry": "consulting" }')
echo '{ "name": "Hooli" }' > company.json
printf 'name,industry\nUmbrella,biotechnology\n' > companies.csv
printf '{ "first_name": "Anna", "last_name": "Lee", "fax": "555-0199" }\n' > contacts.jsonl
printf 'First Name,Last Name\nBob,Diaz\n' > exported.csv
printf 'First Name,Email,Pager\nCleo,cleo@umbrella.example,7\nDan,dan,8\n' > mistaken.csv
printf '%s' "$EAST_URL" > url.txt
echo 'correct horse battery staple' > secret.txt
