import { ENGINE } from './build-constants.ts';
import { NETWORK_PERMISSIONS } from './network-permissions.ts';
import { platform } from './platform.ts';

/** `there`: usable now. `after_restart`: granted, but without effect until the browser restarts. */
export type NetworkAccess = 'missing' | 'after_restart' | 'there';

/**
 * In storage.session, which a browser restart empties. So does an update of the extension, after which this reports
 * `there` too early, until the next restart (measured). runtime.onStartup would tell the two apart, but does not fire
 * if Chromium loads the extension from its command line.
 */
const ALLOWED_SINCE_START = 'networkAllowedSinceStart';

/**
 * Whether the interfaces of network-permissions.ts exist: enough for adding listeners, which is done at start-up and is
 * harmless even if they are never called. `networkAccess` says whether they may be used: the interfaces outlive a revoked
 * permission, and appear before a granted one takes effect.
 */
export function hasNetworkInterfaces(): boolean {
  const { declarativeNetRequest, webRequest } = platform as Partial<typeof platform>;
  return declarativeNetRequest !== undefined && webRequest !== undefined;
}

/**
 * A permission granted while Chromium runs takes effect only after its next start. Measured: the permission is held, but
 * webRequest stays silent, even after reloading the extension, and setting a rule never completes. According to the source
 * named in network-permissions.ts, requests are routed through the browser process while its count of extensions that may
 * see them is above 0; the count changes when such an extension is loaded or unloaded, not when a permission is granted in
 * between. A background that started without the permission may lack even the interfaces until its own next start.
 */
export async function networkAccess(): Promise<NetworkAccess> {
  if (ENGINE === 'firefox') return 'there';
  // Optional permissions of the package; the polyfill's types only know Firefox's.
  const permissions = [...NETWORK_PERMISSIONS] as never[];
  if (!(await platform.permissions.contains({ permissions }))) return 'missing';
  const { [ALLOWED_SINCE_START]: since } = await platform.storage.session.get(ALLOWED_SINCE_START);
  return since || !hasNetworkInterfaces() ? 'after_restart' : 'there';
}

/** Call this with every permission that was just granted. */
export async function notePermissions(allowed: readonly string[]): Promise<void> {
  if (NETWORK_PERMISSIONS.some((name) => allowed.includes(name))) {
    await platform.storage.session.set({ [ALLOWED_SINCE_START]: true });
  }
}
