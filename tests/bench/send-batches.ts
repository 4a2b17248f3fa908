import { connect } from 'node:net';
import { batchId } from '../../shared/wire/encode-batch.ts';

export interface LoadResult {
  readonly batches: number;
  readonly seconds: number;
  /** Of every request, ms. */
  readonly latencies: Float64Array;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** Batches are numbered from here on. */
  readonly firstId: number;
  /** How long a connection rests after each answer, ms; not at all unless given. */
  readonly pauseMs?: number;
}

/** Where a batch's id stands in the body, so that each request is a new batch at the cost of a copy. */
const ID = /"batch":"([^"]+)"/;
const ID_LENGTH = 36;
/** Its last digits are the batch's number: together they lie in order, as the ids of browsers do. */
const ID_DIGITS = 12;
const FIRST_ID = batchId(Date.UTC(2026, 5, 1), `00000000-0000-4000-8000-${'0'.repeat(ID_DIGITS)}`);

/**
 * Keeps `connections` busy for `seconds` with the bodies in turn, each under an id of its own; throws for any answer but
 * 200. Written on sockets: on two cores a client that thinks takes the server's time.
 */
export async function sendBatches(
  target: { readonly port: number; readonly token: string },
  bodies: readonly string[],
  options: LoadOptions,
): Promise<LoadResult> {
  const requests = bodies.map((body) => prepare(body, target.token));
  const { pauseMs = 0 } = options;
  const longest = Math.max(...requests.map(({ bytes }) => bytes.length));
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + options.seconds * 1000;
  let next = 0;

  const work = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(target.port, '127.0.0.1');
      let sentAt = 0;
      let answer = '';
      // A copy for each connection, which is answered before it writes again: the kernel may not have taken it before.
      const request = Buffer.allocUnsafe(longest);
      const send = () => {
        const number = next++;
        const { bytes, digitsAt } = requests[number % requests.length] as PreparedRequest;
        bytes.copy(request);
        const digits = (options.firstId + number).toString(16).padStart(ID_DIGITS, '0');
        request.write(digits, digitsAt, 'latin1');
        sentAt = performance.now();
        socket.write(request.subarray(0, bytes.length));
      };
      socket.setNoDelay(true);
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        const head = answer.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? Number.NaN);
        if (answer.length < head + 4 + length) return;
        if (!answer.startsWith('HTTP/1.1 200')) {
          socket.destroy();
          reject(new Error(answer.slice(0, 400)));
          return;
        }
        answer = '';
        const now = performance.now();
        latencies.push(now - sentAt);
        if (now < until && pauseMs > 0) setTimeout(send, pauseMs);
        else if (now < until) send();
        else socket.end(resolve);
      });
    });
  await Promise.all(Array.from({ length: options.connections }, work));
  return {
    batches: latencies.length,
    seconds: (performance.now() - started) / 1000,
    latencies: Float64Array.from(latencies),
  };
}

interface PreparedRequest {
  readonly bytes: Buffer;
  /** Where the number of the batch is. */
  readonly digitsAt: number;
}

function prepare(body: string, token: string): PreparedRequest {
  const payload = withFirstId(body);
  const head = Buffer.from(
    `POST /api/v1/batches HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n`,
  );
  const bytes = Buffer.concat([head, payload]);
  return { bytes, digitsAt: bytes.indexOf(FIRST_ID) + ID_LENGTH - ID_DIGITS };
}

function withFirstId(body: string): Buffer {
  const found = ID.exec(body)?.[1];
  if (found?.length !== ID_LENGTH) throw new Error('The body has no batch id.');
  return Buffer.from(body.replace(found, FIRST_ID));
}
