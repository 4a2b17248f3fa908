import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How far a request has come: it is at the proxy, all of it was sent on, its answer is back, or it is over, cut or not. */
export type Moment = 'arrived' | 'passed' | 'answered' | 'ended';

export interface FaultProxy {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Stands before an HTTP server and does to its requests what networks do.
 *
 * @param port of the server
 * @param at called at each moment of each request with its address and body; `cut` closes the connection, `repeat` sends the
 *   request a second time before it is answered, and a promise holds it up
 */
export async function startFaultProxy(
  port: () => number,
  at: (moment: Moment, text: string) => Promise<'cut' | 'repeat' | undefined> | 'cut' | 'repeat' | undefined,
): Promise<FaultProxy> {
  const server = createServer({ maxHeaderSize: 1 << 20 }, async (incoming, response) => {
    let text = '';
    try {
      const body = await buffer(incoming);
      text = `${decodeURIComponent((incoming.url ?? '').replaceAll('+', ' '))}\n${body.toString('latin1')}`;
      const passOn = () =>
        send(port(), { url: incoming.url ?? '', method: incoming.method ?? '', headers: incoming.headers, body }, () =>
          at('passed', text),
        );
      const fault = await at('arrived', text);
      if (fault === 'cut') throw new Error('cut');
      const first = await passOn();
      const answer = fault === 'repeat' ? await passOn() : first;
      if ((await at('answered', text)) === 'cut') throw new Error('cut');
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch {
      // The client sees what it would see without the proxy: a connection that ended.
      incoming.socket.destroy();
    } finally {
      await at('ended', text);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function send(
  port: number,
  { url, method, headers, body }: Outgoing,
  passed: () => unknown,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    // A length instead of pieces, since the whole body is known.
    const { 'transfer-encoding': _pieces, ...others } = headers;
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        path: url,
        method,
        headers: { ...others, 'content-length': body.length },
        agent: false,
      },
      (answer) => {
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body, () => void passed());
  });
}
