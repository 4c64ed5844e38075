. examples/pages/all.sh
post manifest '{
  "objects": [{ "name": "projects", "fields": [{ "name": "name", "type": "TEXT" }, { "name": "budget", "type": "CURRENCY" },
    { "name": "share", "type": "PERCENT" }] }],
  "roles": [{ "name": "Rep", "permissions": {
    "*": { "view": "none", "create": false, "update": "none", "delete": "none" },
    "projects": { "view": "own", "create": true, "update": "own", "fields": { "budget": "read", "share": "none" } } } }] }'
KITH_TOKEN=$(token_of Rita rita@acme.test Rep)
