import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { CommandFailure } from '../../lib/failure.ts';
import type { BrowserOptions, BrowserSession } from './browser-session.ts';
import { createTemporaryProfile, type TemporaryProfile } from './temporary-profile.ts';

type Launch = (options: BrowserOptions, profile: TemporaryProfile) => Promise<BrowserSession>;

/** Imports the driver only when needed, since the collector must run without one; rejects if it is not installed. */
export async function loadDriver(engine: BrowserEngine): Promise<Launch> {
  return engine === 'chromium'
    ? (await import('./launch-chromium.ts')).launchChromium
    : (await import('./launch-firefox.ts')).launchFirefox;
}

/** Starts a real browser with its own profile in the system's temporary folder. Throws CommandFailure. */
export async function launchBrowser(options: BrowserOptions): Promise<BrowserSession> {
  const launch = await loadDriver(options.engine);
  const profile = await createTemporaryProfile(options.engine);
  try {
    return await launch(options, profile);
  } catch (cause) {
    await profile.remove();
    throw startFailure(options.executable, cause);
  }
}

/** Why that browser did not start. */
export function startFailure(executable: string, cause: unknown): unknown {
  if (cause instanceof CommandFailure) return cause;
  const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  const hint =
    'Start it by hand to see its output, or name another browser with LASTBYTE_CHROMIUM or LASTBYTE_FIREFOX.';
  return new CommandFailure(`${executable} could not be started: ${reason.replace(/\.$/, '')}`, hint);
}
