import { afterEach } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { describeRollups } from '../collector/rollup-conformance.ts';
import { closeAll } from '../collector/store-conformance.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';

afterEach(closeAll);

describeRollups('sqlite', async () => {
  const folder = await temporaryFolder();
  return { open: () => openStore({ folder, as: 'command' }) };
});
