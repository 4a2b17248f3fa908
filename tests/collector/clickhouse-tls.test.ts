import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { databaseOf, startClickHouse } from './clickhouse-server.ts';
import { run } from './command.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();

test.skipIf(absent !== null)('over TLS, ClickHouse is used only if its certificate is the right one', async () => {
  const engine = await startClickHouse();
  onTestFinished(() => engine.stop());
  const certificate = await createServerCertificate(['localhost'], Date.now());
  const secure = createServer({ key: certificate.key, cert: certificate.chain }, (socket) => {
    const plain = connect(engine.port, '127.0.0.1');
    socket.pipe(plain).pipe(socket);
    for (const end of [socket, plain]) end.on('error', () => [socket, plain].map((one) => one.destroy()));
  });
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  onTestFinished(() => void secure.close());
  const { port } = secure.address() as AddressInfo;
  const folder = await temporaryFolder();
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificate.authority);
  const data = join(folder, 'data');
  const store = await openStore({ folder: data, as: 'command' });
  await fill(store, [{ ...PLAIN_SAMPLE, at: Date.now() - 60_000 }]);
  await store.close();

  const migrate = async (address: string, variables = {}) => {
    const to = `${address}/${databaseOf('secure')}`;
    const { code, stdout, stderr } = await run(['migrate', '--data', data, '--to', to, '--json'], '', variables);
    return code === 0 ? (JSON.parse(stdout) as { samples: number }).samples : stderr.split('\n').at(-2);
  };
  const trusting = { NODE_EXTRA_CA_CERTS: authority };
  expect(await migrate(`clickhouses://localhost:${port}`)).toMatch(/SELF_SIGNED.*NODE_EXTRA_CA_CERTS/);
  expect(await migrate(`clickhouses://127.0.0.1:${port}`, trusting)).toMatch(/ALTNAME.*clickhouses/);
  expect(await migrate(`clickhouses://localhost:${engine.port}`, trusting)).toMatch(/clickhouses:\/\/ with a port/);
  expect(await migrate(`clickhouses://localhost:${port}`, trusting)).toBe(1);
});
