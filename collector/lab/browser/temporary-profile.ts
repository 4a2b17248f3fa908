import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';

export interface TemporaryProfile {
  /** The browser's profile folder. */
  readonly dir: string;
  /**
   * Environment with its own home folder: the user's is neither read nor written, and Firefox can start as root, which
   * it refuses to do in another user's home folder.
   */
  readonly env: Record<string, string>;
  remove(): Promise<void>;
}

/** An exiting browser may still write for a moment. */
const REMOVE_RETRIES = 10;

export async function createTemporaryProfile(engine: BrowserEngine): Promise<TemporaryProfile> {
  const root = await mkdtemp(join(tmpdir(), `lastbyte-${engine}-`));
  const dir = join(root, 'profile');
  await Promise.all([dir, join(root, 'config'), join(root, 'cache')].map((folder) => mkdir(folder)));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  Object.assign(env, { HOME: root, XDG_CONFIG_HOME: join(root, 'config'), XDG_CACHE_HOME: join(root, 'cache') });
  return {
    dir,
    env,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: REMOVE_RETRIES, retryDelay: 100 }),
  };
}
