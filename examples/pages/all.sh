# What the others here begin with: the organization of KITH_TOKEN, and a command that makes something in it.
: "${KITH_TOKEN:?is not set: paste the line export KITH_TOKEN=svc_… first}"
service=${SERVICE:-http://127.0.0.1:3000}
command -v kith > /dev/null || kith() { npx kith "$@"; }

# Asks the service for what curl is told.
ask() { curl -sS --oauth2-bearer "$KITH_TOKEN" -H 'Content-Type: application/json' "$@"; }

# Sends $2 to $1, and prints the id of what was made.
post() { ask -d "$2" "$service/api/v1/$1" | sed 's/^{"\(note_\|task_\)*id":"\([^"]*\)".*/\2/'; }

# What it says of the caller by the name $1.
me() { ask $service/api/v1/me | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

# Makes the user $1 with the address $2 and the role $3, unless there is one, and prints a token of theirs.
token_of() {
  kith user create --name "$1" --email "$2" --role "$3" > /dev/null 2>&1 || true
  kith token create --email "$2" --name trying --json | sed 's/.*"token":"\([^"]*\)".*/\1/'
}

# The commands of these pages work in this organization.
export KITH_ORG="$(me organizationId)"
