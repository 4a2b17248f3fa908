/**
 * Sends statements to ClickHouse for a thread that waits for their answers (blocking-query.ts). JavaScript with a .d.mts file,
 * because a thread starts from a file that Node can run, in the sources as in the build. The only file that loads the client.
 */
import { Readable } from 'node:stream';
import { workerData } from 'node:worker_threads';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';

/** @type {import('./query-thread.mjs').QueryThreadData} */
const { hosts, user, password, database, signal, port } = workerData;
const flag = new Int32Array(signal);

/** An idle connection is closed before the server closes it: it keeps them for 10 s by default (keep_alive_timeout), ms. */
const IDLE_SOCKET_MS = 2500;
/** Beyond this, a statement that the server should have ended by itself has failed, ms. */
const REQUEST_MS = 600_000;

const clients = hosts.map((url) =>
  createClient({
    url,
    username: user,
    password,
    database,
    application: 'lastbyte',
    request_timeout: REQUEST_MS,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
    // The caller reports failures; the client would log each a second time.
    log: { level: ClickHouseLogLevel.OFF },
  }),
);
/** The host that answered last. */
let current = 0;
/** @type {AbortController | null} */
let running = null;

port.on('message', async (message) => {
  if (message === 'cancel') {
    running?.abort();
    return;
  }
  port.postMessage(await answer(message));
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});

/**
 * @param {import('./query-thread.mjs').Statement} statement
 * @returns {Promise<import('./query-thread.mjs').StatementAnswer>}
 */
async function answer(statement) {
  let failure = { code: '', message: 'there is no host' };
  for (let attempt = 0; attempt < clients.length; attempt++) {
    try {
      return { bytes: await send(statement) };
    } catch (error) {
      failure = described(error);
      // The server answered, so another host would refuse the statement too.
      if (/^\d+$/.test(failure.code) || running?.signal.aborted) break;
      current = (current + 1) % clients.length;
    }
  }
  return { failure };
}

/** @param {import('./query-thread.mjs').Statement} statement */
async function send({ sql, params, settings, body }) {
  running = new AbortController();
  const client = clients[current];
  if (client === undefined) throw new Error('there is no host');
  const { stream } = await client.exec({
    query: sql,
    query_params: params,
    clickhouse_settings: settings,
    abort_signal: running.signal,
    ...(body === undefined ? {} : { values: bodyStream(body) }),
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @param {Uint8Array} body */
function bodyStream(body) {
  return Readable.from([Buffer.from(body.buffer, body.byteOffset, body.byteLength)], { objectMode: false });
}

/** @param {unknown} error */
function described(error) {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}
