import { BrowserError, type BrowserOptions, type BrowserSession } from './browser-session.ts';
import { createTemporaryProfile } from './temporary-profile.ts';

/**
 * Starts a real browser with its own profile in the system's temporary folder. Imports the driver only now, since the
 * collector must run without one installed.
 * @throws BrowserError
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
    if (cause instanceof BrowserError) throw cause;
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new BrowserError(
      `${options.executable} could not be started: ${reason}`,
      'Start it by hand to see its output, or name another browser with LASTBYTE_CHROMIUM or LASTBYTE_FIREFOX.',
      cause,
    );
  }
}
