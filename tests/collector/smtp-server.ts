import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SmtpServer {
  readonly port: number;
  /** Messages as they came, headers and all. */
  readonly messages: string[];
  /** Who signed in, decoded. */
  readonly signedIn: string[];
  /** What it does with the next ones. */
  mode: 'take' | 'refuse';
}

/** Enough of https://www.rfc-editor.org/rfc/rfc5321 to take a letter on loopback. */
export async function smtpServer(): Promise<SmtpServer> {
  const state: { -readonly [K in keyof SmtpServer]: SmtpServer[K] } = {
    port: 0,
    messages: [],
    signedIn: [],
    mode: 'take',
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let pending = '';
    let inData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 ready');
    socket.on('data', (data) => {
      pending += data.toString('latin1');
      for (;;) {
        if (inData) {
          const end = pending.indexOf('\r\n.\r\n');
          if (end < 0) return;
          state.messages.push(pending.slice(0, end));
          pending = pending.slice(end + 5);
          inData = false;
          say('250 taken');
          continue;
        }
        const end = pending.indexOf('\r\n');
        if (end < 0) return;
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        if (/^EHLO/i.test(line)) socket.write('250-hello\r\n250 AUTH PLAIN\r\n');
        else if (/^AUTH PLAIN/i.test(line)) {
          state.signedIn.push(Buffer.from(line.split(' ')[2] ?? '', 'base64').toString('utf8'));
          say('235 signed in');
        } else if (/^MAIL/i.test(line)) say(state.mode === 'take' ? '250 go on' : '451 not now, password was hunter2');
        else if (/^DATA/i.test(line)) {
          inData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(line)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  state.port = typeof address === 'object' && address !== null ? address.port : 0;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return state;
}
