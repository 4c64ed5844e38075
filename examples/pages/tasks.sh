. examples/pages/all.sh
ANNA=$(post records/contacts '{ "first_name": "Anna", "last_name": "Lee" }')
ME=$(me workspaceUserId)
TASK=$(post tasks '{ "title": "Send the offer", "due_date": "2025-03-01", "priority": "urgent" }')
