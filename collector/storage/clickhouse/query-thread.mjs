/**
 * Sends statements to ClickHouse for a thread that waits for their answers (blocking-query.ts). JavaScript with a .d.mts file,
 * because a thread starts from a file that Node can run, in the sources as in the build. The only file that loads the client.
 */
import { Readable } from 'node:stream';
import { workerData } from 'node:worker_threads';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';

/** @type {import('./query-thread.mjs').QueryThreadData} */
const { url, user, password, database, signal: answers, port } = workerData;
const flag = new Int32Array(answers);

/** An idle connection is closed before the server closes it: it keeps them for 10 s by default (keep_alive_timeout), ms. */
const IDLE_SOCKET_MS = 2500;
/** Beyond this, a statement that the server should have ended by itself has failed, ms. */
const REQUEST_MS = 600_000;

const client = createClient({
  url,
  username: user,
  password,
  database,
  application: 'lastbyte',
  request_timeout: REQUEST_MS,
  keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
  // The caller reports failures; the client would log each a second time.
  log: { level: ClickHouseLogLevel.OFF },
});
/** By the ids of the statements that run. @type {Map<number, AbortController>} */
const running = new Map();

port.on('message', async (/** @type {import('./query-thread.mjs').StatementRequest} */ { id, statement }) => {
  if (statement === null) {
    running.get(id)?.abort();
    return;
  }
  const own = new AbortController();
  running.set(id, own);
  const answered = await answer(statement, own.signal);
  running.delete(id);
  port.postMessage({ id, ...answered });
  Atomics.add(flag, 0, 1);
  Atomics.notify(flag, 0);
});

/**
 * @param {import('./query-thread.mjs').Statement} statement
 * @param {AbortSignal} signal
 * @returns {Promise<Omit<import('./query-thread.mjs').StatementAnswer, 'id'>>}
 */
async function answer({ sql, params, settings, body }, signal) {
  try {
    const { stream } = await client.exec({
      query: sql,
      query_params: params,
      clickhouse_settings: settings,
      abort_signal: signal,
      ...(body === undefined ? {} : { values: bodyStream(body) }),
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (!(error instanceof Error)) return { failure: { code: '', message: String(error) } };
    return { failure: { code: 'code' in error ? String(error.code) : '', message: error.message } };
  }
}

/** @param {Uint8Array} body */
function bodyStream(body) {
  return Readable.from([Buffer.from(body.buffer, body.byteOffset, body.byteLength)], { objectMode: false });
}
