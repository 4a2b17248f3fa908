import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * A folder that only its owner may look into, with what is missing above it. mkdir's own `recursive` never ends where a
 * parent is there and nothing can be made in it, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isThere(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: OWNER_ONLY }).catch(async (error: unknown) => {
    if (!(await isThere(path))) throw error; // else somebody was faster
  });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
