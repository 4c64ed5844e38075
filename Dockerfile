# The service on a PostgreSQL of its own elsewhere: DATABASE_URL or DATABASE_URL_FILE has to be given.
FROM node:24-bookworm-slim AS packages
WORKDIR /opt/kith
COPY package.json package-lock.json ./
# Optional packages are Node and PostgreSQL, which come with the image or lie elsewhere.
RUN npm ci --ignore-scripts --omit=dev --omit=optional

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 KITH_DATA_DIR=/var/lib/kith
WORKDIR /opt/kith
COPY --from=packages /opt/kith/node_modules node_modules
COPY package.json LICENSE CHANGELOG.md README.md ./
COPY bin bin
COPY src src
# The reference page shows calls of the client.
COPY client/generated client/generated
COPY docs docs
COPY web/dist web/dist
COPY examples examples
RUN install -d -o node -g node -m 0700 /var/lib/kith && ln -s /opt/kith/bin/kith.js /usr/local/bin/kith
USER node
# Holds the root secret, unless KITH_SECRET_KEY or KITH_SECRET_KEY_FILE is given.
VOLUME /var/lib/kith
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/kith.js", "serve"]
