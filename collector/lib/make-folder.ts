import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * Creates a folder for its owner alone, with missing parents. mkdir's own `recursive` never ends if a parent exists in which
 * nothing can be created, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: OWNER_ONLY }).catch(async (error: unknown) => {
    if (!(await exists(path))) throw error; // else another process was faster
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
