mkdir node_modules
ln -s "$(dirname "$MODULES")" node_modules/kithcrm
