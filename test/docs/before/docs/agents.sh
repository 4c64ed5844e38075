ln -s "$MODULES" node_modules
