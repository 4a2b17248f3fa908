import { connect } from 'node:net';
import { batchId } from '../../shared/wire/batch-id.ts';

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
const FIRST_ID_MS = Date.UTC(2026, 5, 1);

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
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + options.seconds * 1000;
  let next = 0;

  const work = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(target.port, '127.0.0.1');
      let sentAt = 0;
      let answer = '';
      const send = () => {
        const number = next++;
        const { bytes, idAt } = requests[number % requests.length] as { bytes: Buffer; idAt: number };
        bytes.write(idOf(options.firstId + number), idAt, ID_LENGTH, 'latin1');
        sentAt = performance.now();
        // A copy: the same bytes are written again before the kernel may have taken these.
        socket.write(Buffer.from(bytes));
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

/** One a millisecond: the same number is the same id again. */
function idOf(number: number): string {
  return batchId(FIRST_ID_MS + number, `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`);
}

function prepare(body: string, token: string): { bytes: Buffer; idAt: number } {
  const payload = Buffer.from(body);
  const head = Buffer.from(
    `POST /api/v1/batches HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n`,
  );
  const bytes = Buffer.concat([head, payload]);
  const found = ID.exec(body);
  if (found === null) throw new Error('The body has no batch id.');
  return { bytes, idAt: bytes.indexOf(found[1] as string) };
}
