import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../servers/loopback-server.ts';

/** Limit for a document, bytes; the samples of the longest probe sequence are far smaller. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface AnswerBox {
  /** Address to post to; its path is a secret of this session. */
  readonly url: string;
  /** The next document posted there; null if none arrives within `withinMs`. */
  next(withinMs: number): Promise<unknown>;
  close(): Promise<void>;
}

/** Receives the documents that the browser posts to loopback: its progress, then its result. */
export async function openAnswerBox(): Promise<AnswerBox> {
  const path = `/${randomBytes(24).toString('base64url')}`;
  const received: unknown[] = [];
  let wake: () => void = () => {};
  const server = createServer((request, response) => {
    // A browser that exits in the middle of its post has returned nothing, which `next` then reports.
    receive(request, response).catch(() => request.destroy());
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || !isSame(request.url ?? '', path)) return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > MAX_ANSWER_BYTES) return void response.writeHead(413, { connection: 'close' }).end();
      chunks.push(chunk as Buffer);
    }
    response.writeHead(204).end();
    received.push(JSON.parse(Buffer.concat(chunks).toString()));
    wake();
  }

  const { port, close } = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async next(withinMs) {
      if (received.length === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return received.shift() ?? null;
    },
    close() {
      wake(); // a pending timer would keep the process alive
      return close();
    },
  };
}

function isSame(given: string, secret: string): boolean {
  return given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret));
}
