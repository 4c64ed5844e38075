. examples/pages/all.sh
ACME=$(post records/companies '{ "name": "Acme" }')
ask -X PATCH -d '{ "domain": "acme.example" }' "$service/api/v1/records/companies/$ACME" > /dev/null
# Whoever else is at work on the server holds the feed back.
for _ in $(seq 100); do ask $service/api/v1/events | grep -q record.updated && break; done
