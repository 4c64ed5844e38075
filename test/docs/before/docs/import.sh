printf 'First Name,Last Name,Organization Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\nEva,Maier,Neu AG,* myContacts ::: VIP,* Work,eva@neu.example,Mobile,+49 30 1234567\nIda,Roth,,* myContacts,Home,ida@roth.example,,\n' > google.csv
printf 'Record ID,Company name\n901,Globex\n902,Initech\n' > hubspot-companies.csv
printf 'Record ID,First Name,Last Name,Email,Associated Company,Associated Company IDs\n11,Anna,Lee,anna@globex.example,Globex Corp.,901\n12,Bob,Ray,bob@initech.example,Initech,902\n' > hubspot-contacts.csv
printf 'Record ID,Deal Name,Deal Stage,Associated Company IDs,Associated Contact IDs\n71,Renewal,Won,901,11;12\n' > hubspot-deals.csv
