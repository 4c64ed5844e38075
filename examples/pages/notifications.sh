. examples/pages/all.sh
me=$(me workspaceUserId)
ADMIN_TOKEN=$KITH_TOKEN
KITH_TOKEN=$(token_of Bob bob@acme.test Member)
post tasks "{ \"title\": \"Call Anna\", \"assigned_to_id\": \"$me\" }"
KITH_TOKEN=$ADMIN_TOKEN
NOTIFICATION=$(ask $service/api/v1/notifications | sed 's/.*"data":\[{"id":"\([^"]*\)".*/\1/')
