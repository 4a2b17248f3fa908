import { ENGINE } from './build-constants.ts';
import { NETWORK_PERMISSIONS } from './network-permissions.ts';
import { platform } from './platform.ts';

/** `there`: may be used now. `after_restart`: allowed, and without effect before the browser starts anew. */
export type NetworkAccess = 'missing' | 'after_restart' | 'there';

/**
 * In storage.session, which a new start of the browser empties. So does an update of the extension, after which this says
 * `there` too early, until that start (measured): runtime.onStartup would tell them apart, but is silent where Chromium has
 * the extension from its command line.
 */
const ALLOWED_SINCE_START = 'networkAllowedSinceStart';

/**
 * Whether the interfaces of network-permissions.ts exist here: for listeners alone, which are added in the first turn and
 * harm nobody where they hear nothing. Whether they may be used is `networkAccess`: they outlive a permission that is
 * taken away, and come before one has an effect.
 */
export function hasNetworkInterfaces(): boolean {
  const { declarativeNetRequest, webRequest } = platform as Partial<typeof platform>;
  return declarativeNetRequest !== undefined && webRequest !== undefined;
}

/**
 * What the user allows while Chromium runs has no effect before its next start. Measured: the permission is held, but
 * webRequest tells nothing, also after the extension was loaded anew, and setting a rule does not end. As far as the file says
 * that network-permissions.ts names, requests are led through the browser while its count of extensions that may see them is
 * above 0; it goes up when one that may is loaded and down when one is unloaded, not when a permission comes in between.
 * A background that began without the permission may lack even the interfaces until its own next start.
 */
export async function networkAccess(): Promise<NetworkAccess> {
  if (ENGINE === 'firefox') return 'there';
  // Names that the package holds as optional ones; the polyfill's types know Firefox' only.
  const permissions = [...NETWORK_PERMISSIONS] as never[];
  if (!(await platform.permissions.contains({ permissions }))) return 'missing';
  const { [ALLOWED_SINCE_START]: since } = await platform.storage.session.get(ALLOWED_SINCE_START);
  return since || !hasNetworkInterfaces() ? 'after_restart' : 'there';
}

/** To be called with every permission that was just allowed. */
export async function notePermissions(allowed: readonly string[]): Promise<void> {
  if (NETWORK_PERMISSIONS.some((name) => allowed.includes(name))) {
    await platform.storage.session.set({ [ALLOWED_SINCE_START]: true });
  }
}
