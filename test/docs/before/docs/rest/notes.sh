CONTACT=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee" }')
BOB=$(kith user create --name Bob --email bob@acme.test --role Member --json | sed 's/.*"workspaceUserId":"\([^"]*\)".*/\1/')
note="{ \"content\": \"<h2>Kick-off</h2><p>Anna wants the offer by Friday.</p>\", \"entity_type\": \"contacts\", \"entity_id\": \"$CONTACT\",
  \"data\": { \"visibility\": \"workspace\" } }"
NOTE=$(post notes "$note" | sed 's/^{"note_id":"\([^"]*\)".*/\1/')
