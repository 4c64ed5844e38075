. examples/pages/all.sh
CONTACT=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee" }')
BOB=$(KITH_TOKEN=$(token_of Bob bob@acme.test Member) && me workspaceUserId)
note="{ \"content\": \"<h2>Kick-off</h2><p>Anna wants the offer by Friday.</p>\", \"entity_type\": \"contacts\", \"entity_id\": \"$CONTACT\",
  \"data\": { \"visibility\": \"workspace\" } }"
NOTE=$(post notes "$note")
