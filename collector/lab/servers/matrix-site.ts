import { labAnswer } from './lab-answer.ts';
import { startLabServer } from './lab-server.ts';
import { LAB_HOST } from './lab-site.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { createServerCertificate, KEY_KINDS } from './server-certificate.ts';

/** What a handshake costs depends on: the key, how many certificates are sent, whether the client has to send one, and whether an OCSP response comes along. */
const SERVERS = [
  ...KEY_KINDS.map((key) => ({ name: key, key, sent: 2, asksClient: false }) as const),
  { name: 'one-certificate', key: 'rsa-2048', sent: 1, asksClient: false },
  { name: 'three-certificates', key: 'rsa-2048', sent: 3, asksClient: false },
  { name: 'client-certificate', key: 'rsa-2048', sent: 2, asksClient: true },
  { name: 'ocsp-staple', key: 'rsa-2048', sent: 2, asksClient: false, stapled: true },
] as const;

export interface MatrixSite {
  readonly ports: Readonly<Record<string, number>>;
  /** PEM of all authorities. */
  readonly authorities: string;
  /** PEM of a client's key and certificate. */
  readonly client: string;
  close(): Promise<void>;
}

/** Lab servers on loopback that differ in what their handshakes cost; each takes TLS 1.2 and 1.3. */
export async function startMatrixSite(now: number, serverDelayMs: number): Promise<MatrixSite> {
  const running: LoopbackServer[] = [];
  const ports: Record<string, number> = {};
  let authorities = '';
  let count = 0;
  for (const { name, key, sent, asksClient, ...rest } of SERVERS) {
    const certificate = await createServerCertificate([LAB_HOST], now, key, sent, 'stapled' in rest);
    authorities += certificate.authority;
    const tls = {
      certificate,
      version: null,
      protocol: 'http/1.1',
      tickets: true,
      keepsSessions: true,
      asksClient,
    } as const;
    const options = { tls, plainToo: true, connection: 'keep-alive', serverDelayMs } as const;
    const server = await startLabServer(options, (path) => labAnswer(path, count++));
    running.push(server);
    ports[name] = server.port;
  }
  const client = await createServerCertificate(['client.test'], now, 'rsa-2048', 1);
  return {
    ports,
    authorities,
    client: client.key + client.chain,
    close: async () => void (await Promise.all(running.map((one) => one.close()))),
  };
}
