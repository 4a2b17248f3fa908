import { withoutPort } from '../../shared/redact/match-pattern.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import { needsNetwork, ownProbes, targetPermissions } from '../../shared/settings/target-permissions.ts';
import { networkAccess } from '../network-access.ts';
import { NETWORK_PERMISSIONS } from '../network-permissions.ts';
import { platform } from '../platform.ts';
import { unlockTimings } from './unlock-timings.ts';

/**
 * Frames without an address of their own (about:blank, srcdoc, blob:) make the requests of the page that filled them.
 * They are captured only if a whole origin is a target, since browsers don't allow paths in combination with this.
 */
const WITH_NAMELESS_FRAMES = 'capture';
const BY_PATH = 'capture-by-path';
const FILE = 'content.js';

export interface CaptureState {
  /** Patterns captured now. */
  readonly granted: readonly string[];
  /** Patterns and permission names that the settings need and the user has not allowed, or has revoked. */
  readonly missing: readonly string[];
  /** The missing permissions are granted and take effect at the browser's next start: network-access.ts. */
  readonly afterRestart: boolean;
}

/**
 * Runs the content script on the targets' pages, in all frames whose own address matches, and nowhere else. The registration
 * outlives the browser, so that the first page after a start is captured from its beginning. Firefox's match patterns have
 * no ports, so they are dropped here and checked when entries arrive.
 */
export async function registerCapture(settings: ExtensionSettings | null, isRobot: boolean): Promise<CaptureState> {
  const targets = settings?.targets ?? [];
  const pages = new Set(targets.flatMap(({ match }) => match.map(withoutPort)));
  const allowed: string[] = [];
  const missing: string[] = [];
  for (const pattern of [...new Set(targets.flatMap(targetPermissions))].sort())
    ((await isGranted(pattern)) ? allowed : missing).push(pattern);
  const granted = allowed.filter((pattern) => pages.has(pattern));

  const isOrigin = (pattern: string) => /^[^/]+:\/\/[^/]+\/\*$/.test(pattern);
  const changed = [
    await registerFor(WITH_NAMELESS_FRAMES, granted.filter(isOrigin)),
    await registerFor(
      BY_PATH,
      granted.filter((pattern) => !isOrigin(pattern)),
    ),
  ];
  if (changed.includes(true) && granted.length > 0) await injectIntoOpenPages(granted);
  const network = needsNetwork(targets, ownProbes(settings, isRobot)) ? await networkAccess() : 'there';
  if (network !== 'there') missing.push(...NETWORK_PERMISSIONS);
  // Last, because measuring must not depend on it.
  await unlockTimings(targets);
  return { granted: allowed, missing, afterRestart: network === 'after_restart' };
}

/** True if the registration changed. */
async function registerFor(id: string, matches: string[]): Promise<boolean> {
  const [registered] = await platform.scripting.getRegisteredContentScripts({ ids: [id] });
  if ((registered?.matches?.slice().sort().join() ?? '') === matches.join()) return false;
  if (registered) await platform.scripting.unregisterContentScripts({ ids: [id] });
  if (matches.length === 0) return true;
  await platform.scripting.registerContentScripts([
    {
      id,
      matches,
      js: [FILE],
      allFrames: true,
      matchOriginAsFallback: id === WITH_NAMELESS_FRAMES, // Chromium 119, Firefox 128
      runAt: 'document_start',
      persistAcrossSessions: true,
    },
  ]);
  return true;
}

/** A pattern the browser cannot parse counts as not granted: it is shown as missing, and the others still work. */
async function isGranted(pattern: string): Promise<boolean> {
  try {
    return await platform.permissions.contains({ origins: [pattern] });
  } catch {
    return false;
  }
}

/** Pages opened earlier: their entries so far are still in the browser's buffer. */
async function injectIntoOpenPages(matches: string[]): Promise<void> {
  const tabs = await platform.tabs.query({ url: matches });
  await Promise.allSettled(
    tabs.map(({ id }) =>
      id === undefined
        ? null
        : platform.scripting.executeScript({ target: { tabId: id, allFrames: true }, files: [FILE] }),
    ),
  );
}
