import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { addressGuard } from '../../collector/outgoing/address-guard.ts';
import { addressRules } from '../../collector/outgoing/address-rules.ts';
import { openSocket } from '../../collector/outgoing/open-socket.ts';
import { postBytes } from '../../collector/outgoing/post-bytes.ts';

type Answers = readonly (readonly string[])[];

/** A guard whose resolver gives the answers in turn, the last one from then on, and counts how often it was asked. */
function guardWith(answers: Answers, allow: string[] = []) {
  const asked: string[] = [];
  const guard = addressGuard(addressRules({ allow }), (host, _options, done) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });
  return { guard, asked };
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as { port: number }).port;
}

const post = (guard: ReturnType<typeof guardWith>['guard'], url: string) =>
  postBytes(guard, { url: new URL(url), headers: {}, body: Buffer.from('{}') });

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://127.1/',
  'https://[::1]/',
])('%s is refused without a look-up', async (url) => {
  const { guard, asked } = guardWith([['93.184.216.34']]);
  await expect(post(guard, url)).rejects.toMatchObject({ code: 'address_refused' });
  expect(asked).toEqual([]);
});

test.each([
  ['http://rebound.example.com/', '169.254.169.254'],
  ['https://rebound.example.com/', '::ffff:169.254.169.254'],
  ['http://metadata.google.internal/', 'fe80::a9fe:a9fe'],
  ['http://localhost/', '127.0.0.1'],
  ['http://localhost/', '::1'],
])('%s that resolves to %s is refused, and the hint names the address', async (url, address) => {
  const { guard } = guardWith([[address]]);
  await expect(post(guard, url)).rejects.toMatchObject({
    code: 'address_refused',
    hint: expect.stringContaining(`--outgoing-allow ${address}`),
  });
});

test('of several addresses only the allowed are connected to, and the name is resolved once', async () => {
  const server = createServer((_request, response) => response.writeHead(204).end());
  const port = await listening(server);
  // The second answer is that of a name that is bound anew between check and connection.
  const { guard, asked } = guardWith([['127.0.0.9', '127.0.0.1'], ['127.0.0.9']], ['127.0.0.1']);
  expect(await post(guard, `http://hook.example.com:${port}/`)).toBe(204);
  expect(asked).toEqual(['hook.example.com']);
});

test('a redirect is an answer, and nothing is asked of where it leads', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
  );
  const port = await listening(server);
  const { guard, asked } = guardWith([['127.0.0.1']], ['127.0.0.1']);
  expect(await post(guard, `http://hook.example.com:${port}/`)).toBe(307);
  expect(asked).toEqual(['hook.example.com']);
});

test('an answer without an end is cut after its head, and a head without an end is refused', async () => {
  const closed: Promise<unknown>[] = [];
  const pour = (head: string, more: string) =>
    createTcpServer((socket: Socket) => {
      socket.on('error', () => undefined);
      closed.push(new Promise((resolve) => socket.once('close', resolve)));
      socket.write(head);
      const on = () => {
        while (!socket.destroyed && socket.write(more));
      };
      socket.on('drain', on);
      on();
    });
  const { guard } = guardWith([['127.0.0.1']], ['127.0.0.1']);
  const body = await listening(pour('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536)));
  expect(await post(guard, `http://hook.example.com:${body}/`)).toBe(200);
  const head = await listening(pour('HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(1024)}\r\n`));
  await expect(post(guard, `http://hook.example.com:${head}/`)).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
  await Promise.all(closed);
  expect(closed).toHaveLength(2);
});

test.each(['169.254.169.254', '::ffff:169.254.169.254', '127.0.0.1', '::1'])(
  'no socket is opened to %s',
  async (host) => {
    const { guard } = guardWith([['169.254.169.254']]);
    const target = { port: 25, timeoutMs: 1000, signal: new AbortController().signal };
    await expect(openSocket(guard, { ...target, host })).rejects.toMatchObject({ code: 'address_refused' });
    await expect(openSocket(guard, { ...target, host: 'mail.example.com' })).rejects.toMatchObject({
      code: 'address_refused',
      message: expect.stringContaining('mail.example.com (169.254.169.254)'),
    });
  },
);

test('spellings that only the system’s resolver reads are checked as what they resolve to', async () => {
  const target = { port: 25, timeoutMs: 1000, signal: new AbortController().signal };
  const guard = addressGuard(addressRules({}));
  for (const host of ['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518']) {
    await expect(openSocket(guard, { ...target, host }), host).rejects.toMatchObject({ code: 'address_refused' });
  }
});
