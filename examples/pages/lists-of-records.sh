. examples/pages/all.sh
GLOBEX=$(post records/companies '{ "name": "Globex" }')
ACME=$(post records/companies '{ "name": "Acme" }')
ANNA=$(post records/contacts '{ "first_name": "Anna", "last_name": "Ahlers" }')
LIST=$(post lists '{ "name": "Fair in spring", "object_types": ["companies", "contacts"],
  "fields": [{ "name": "stage", "type": "SELECT", "options": [{ "value": "invited" }, { "value": "coming" }] },
    { "name": "seats", "type": "INTEGER" }] }')
post lists/$LIST/entries "{ \"object_type\": \"contacts\", \"record_id\": \"$ANNA\" }"
ENTRY=$(ask $service/api/v1/lists/$LIST/entries | sed 's/.*"entry_id":"\([^"]*\)".*/\1/')
