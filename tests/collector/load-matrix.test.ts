import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MatrixRow, matrixPoints, matrixTables } from '../../collector/analysis/load/matrix-tables.ts';
import { runMatrix } from '../../collector/lab/load/run-matrix.ts';
import { type MatrixSite, startMatrixSite } from '../../collector/lab/servers/matrix-site.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';

let site: MatrixSite;
let rows: MatrixRow[];
beforeAll(async () => {
  site = await startMatrixSite(Date.now(), 0);
  const names = ['rsa-2048', 'p-256', 'one-certificate', 'three-certificates', 'client-certificate', 'ocsp-staple'];
  ({ rows } = await runMatrix({
    servers: names.map((name) => {
      const port = site.ports[name] ?? 0;
      const origin = `https://target.localhost:${port}`;
      const tls = { ca: site.authorities, cert: site.client, key: site.client };
      return { origin, address: '127.0.0.1', port, tls, http2: false, path: '/1m', timeoutMs: 10_000 };
    }),
    headers: {},
    count: 5,
    signal: new AbortController().signal,
    serverCpu: async () => process.cpuUsage().user / 1e6,
    progress: () => {},
  }));
});
afterAll(() => site.close());

const row = (name: RegExp, kind: MatrixRow['kind'] = 'full') =>
  rows.find((each) => name.test(each.name) && each.kind === kind);

test('every combination comes about and is what it says: full, by ticket, by session id', () => {
  expect(rows.filter(({ n, proven }) => n === 0 || !proven)).toEqual([]);
  // Six servers, two versions with three kinds in the older; six ciphers, full and resumed; three groups.
  expect(rows).toHaveLength(6 * 5 + 6 * 2 + 3);
});

test('servers are named by the key they show, and by their port where another one has the same', () => {
  const names = new Set(rows.map(({ name }) => /^(.*), TLS 1\.[23]$/.exec(name)?.[1]).filter(Boolean));
  const same = ['one-certificate', 'three-certificates', 'client-certificate', 'ocsp-staple'];
  expect([...names]).toEqual([
    'RSA 2048',
    'EC prime256v1',
    ...same.map((name) => `RSA 2048, port ${site.ports[name]}`),
  ]);
});

test('ciphers and groups are those that were offered', () => {
  expect(row(/^TLS_CHACHA20/)?.tls).toMatch(/^TLSv1.3, TLS_CHACHA20_POLY1305_SHA256, X25519,/);
  expect(row(/^ECDHE-AES256/)?.tls).toMatch(/^TLSv1.2, ECDHE-RSA-AES256-GCM-SHA384,/);
  expect(row(/^prime256v1/)?.tls).toMatch(/prime256v1/);
  // Node 22 has no name for this group.
  expect(row(/^X25519MLKEM768/)?.tls).toMatch(/, (X25519MLKEM768, )?RSA 2048$/);
});

test('bytes on the wire follow what is sent: keys, chains, an OCSP staple, a client’s certificate, a post-quantum share', () => {
  const bytes = (name: string, kind: MatrixRow['kind'] = 'full') => {
    const found = rows.find((each) => each.name === name && each.kind === kind);
    return { received: found?.received ?? Number.NaN, sent: found?.sent ?? Number.NaN };
  };
  const usual = bytes('RSA 2048, TLS 1.3');
  const at = (name: string) => bytes(`RSA 2048, port ${site.ports[name]}, TLS 1.3`);
  expect(bytes('EC prime256v1, TLS 1.3').received).toBeLessThan(usual.received - 500);
  expect(at('one-certificate').received).toBeLessThan(usual.received - 500);
  expect(at('three-certificates').received).toBeGreaterThan(usual.received + 500);
  expect(at('ocsp-staple').received).toBeGreaterThan(usual.received + 300);
  expect(bytes('RSA 2048, TLS 1.3', 'ticket').received).toBeLessThan(500);
  const asked = bytes(`RSA 2048, port ${site.ports['client-certificate']}, TLS 1.2`);
  expect(asked.sent).toBeGreaterThan(bytes('RSA 2048, TLS 1.2').sent + 500);
  // draft-ietf-tls-ecdhe-mlkem: shares of 1,216 and 1,120 bytes instead of 32; only one group is offered.
  expect(bytes('X25519MLKEM768').sent - bytes('X25519').sent).toBeGreaterThanOrEqual(1216 - 32 - 16);
  expect(bytes('X25519MLKEM768').received - bytes('X25519').received).toBeGreaterThanOrEqual(1120 - 32 - 32);
});

test('tables have each row’s cost, its ratio to the first, and what a full handshake costs beyond a resumed one', () => {
  const [costs, prices, ratios] = matrixTables(rows);
  expect(costs?.rows).toHaveLength(rows.length);
  expect(ratios?.rows[0]).toMatchObject({ ms: 1, clientCpuMs: 1, sent: 1, received: 1, kbPerSecond: 1 });
  expect(prices?.rows).toHaveLength(6 * 2 + 6);
  expect(costs?.rows.filter(({ kbPerSecond, kind }) => kind === 'full' && !kbPerSecond)).toEqual([]);
});

test('sentences name what did not come about', () => {
  const failed = { ...(rows[0] as MatrixRow), n: 0, times: [], name: 'RSA 1024' };
  expect(matrixPoints([failed])).toEqual(['No handshake came about: RSA 1024 (full).']);
});

test('OpenSSL takes the lab’s OCSP response for its leaf', async () => {
  const { authority, chain, staple } = await createServerCertificate(
    ['target.localhost'],
    Date.now(),
    'rsa-2048',
    1,
    true,
  );
  const folder = mkdtempSync(join(tmpdir(), 'lastbyte-staple-'));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const [ca, leaf, der] = [file('ca', authority), file('leaf', chain), file('staple', staple ?? '')];
  const args = ['ocsp', '-respin', der, '-CAfile', ca, '-issuer', ca, '-cert', leaf];
  const { stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  expect(stdout).toContain(`${leaf}: good`);
  expect(stderr).toContain('Response verify OK');
});
