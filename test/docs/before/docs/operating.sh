echo 'correct horse battery staple' > secret.txt
