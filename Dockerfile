# Made from the one file that `npm pack` writes: docs/operations.md, "In a container".
FROM node:24.22.3-bookworm-slim AS packed
COPY lastbyte-*.tgz /tmp/lastbyte.tgz
RUN npm install --global --prefix /opt/lastbyte --omit=dev --ignore-scripts --no-audit --no-fund /tmp/lastbyte.tgz

FROM node:24.22.3-bookworm-slim
# Programs that install others would only serve an intruder.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn-* \
  && install -d -m 700 -o node -g node /var/lib/lastbyte/data
COPY --from=packed /opt/lastbyte /opt/lastbyte
# MALLOC_ARENA_MAX: threads that answered large queries return their memory sooner (glibc).
# SQLITE_TMPDIR: a copy of the database does not fit into a tmpfs.
ENV PATH=/opt/lastbyte/bin:$PATH NODE_ENV=production MALLOC_ARENA_MAX=2 SQLITE_TMPDIR=/var/lib/lastbyte/data
# Commands find the data in ./data.
WORKDIR /var/lib/lastbyte
VOLUME /var/lib/lastbyte/data
USER 1000
EXPOSE 8642
# Over TLS, or in the clear behind a proxy; the certificate is issued for another name than 127.0.0.1.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "--no-warnings", "--input-type=module", "--eval", \
  "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; const at = '127.0.0.1:8642/healthz'; const { ok } = await fetch(`https://${at}`).catch(() => fetch(`http://${at}`)); process.exit(ok ? 0 : 1);"]
ENTRYPOINT ["lastbyte"]
CMD ["serve", "--host", "0.0.0.0", "--tls-cert", "/run/secrets/tls-cert", "--tls-key", "/run/secrets/tls-key"]
