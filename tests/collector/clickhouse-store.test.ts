import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { type ClickHouseServer, openForwarding, startClickHouse } from './clickhouse-server.ts';
import { describeRollups } from './rollup-conformance.ts';
import { closeAll, describeStore } from './store-conformance.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** It takes minutes. */
const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();
if (absent !== null) console.warn(`ClickHouse is not tested: ${absent}`);

let server: ClickHouseServer;
let databases = 0;

describe.skipIf(absent !== null)('clickhouse', () => {
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server?.stop());
  afterEach(closeAll);

  const opened = async () => {
    const folder = await temporaryFolder();
    const samples = server.address(`store${++databases}`);
    return { open: () => openForwarding(folder, samples) };
  };
  describeStore('clickhouse', opened);
  describeRollups('clickhouse', opened);
});
