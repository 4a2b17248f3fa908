import { CommandFailure } from '../../lib/failure.ts';
import type { BrowserOptions, BrowserSession } from './browser-session.ts';
import { createTemporaryProfile } from './temporary-profile.ts';

/**
 * Starts a real browser with its own profile in the system's temporary folder. Imports the driver only now, since the
 * collector must run without one installed.
 * @throws CommandFailure
 */
export async function launchBrowser(options: BrowserOptions): Promise<BrowserSession> {
  const profile = await createTemporaryProfile(options.engine);
  try {
    if (options.engine === 'chromium') {
      const { launchChromium } = await import('./launch-chromium.ts');
      return await launchChromium(options, profile);
    }
    const { launchFirefox } = await import('./launch-firefox.ts');
    return await launchFirefox(options, profile);
  } catch (cause) {
    await profile.remove();
    throw startFailure(options.executable, cause);
  }
}

/** Why that browser did not start; a driver that is not installed is no fault of the browser. */
export function startFailure(executable: string, cause: unknown): unknown {
  const isMissing = (cause as { readonly code?: string }).code === 'ERR_MODULE_NOT_FOUND';
  if (cause instanceof CommandFailure || isMissing) return cause;
  const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  const hint =
    'Start it by hand to see its output, or name another browser with LASTBYTE_CHROMIUM or LASTBYTE_FIREFOX.';
  return new CommandFailure(`${executable} could not be started: ${reason.replace(/\.$/, '')}`, hint);
}
