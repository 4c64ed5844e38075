me=$(curl --oauth2-bearer $KITH_TOKEN http://127.0.0.1:3000/api/v1/me | sed 's/.*"workspaceUserId":"\([^"]*\)".*/\1/')
ADMIN_TOKEN=$KITH_TOKEN
KITH_TOKEN=$(kith user create --name Bob --email bob@acme.test --role Member --json | sed 's/.*"token":"\([^"]*\)".*/\1/')
post tasks "{ \"title\": \"Call Anna\", \"assigned_to_id\": \"$me\" }"
KITH_TOKEN=$ADMIN_TOKEN
NOTIFICATION=$(curl --oauth2-bearer $KITH_TOKEN http://127.0.0.1:3000/api/v1/notifications | sed 's/.*"data":\[{"id":"\([^"]*\)".*/\1/')
