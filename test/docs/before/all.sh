set -o pipefail

# Sends $2 to $1, and prints the id of what was made.
post() {
  curl --oauth2-bearer $KITH_TOKEN -H 'Content-Type: application/json' -d "$2" "http://127.0.0.1:3000/api/v1/$1" | sed 's/^{"id":"\([^"]*\)".*/\1/'
}
