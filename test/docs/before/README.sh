printf 'First Name,Last Name,Email\nAnna,Lee,anna@globex.example\n' > contacts.csv
