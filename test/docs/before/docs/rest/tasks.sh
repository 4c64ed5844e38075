ANNA=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee" }')
ME=$(curl --oauth2-bearer $KITH_TOKEN http://127.0.0.1:3000/api/v1/me | sed 's/.*"workspaceUserId":"\([^"]*\)".*/\1/')
TASK=$(post tasks '{ "title": "Send the offer", "due_date": "2025-03-01", "priority": "urgent" }' | sed 's/.*"task_id":"\([^"]*\)".*/\1/')
