import { withoutPort } from '../../shared/redact/match-pattern.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import { platform } from '../platform.ts';

const SCRIPT_ID = 'capture';
const FILE = 'content.js';

export interface CaptureState {
  /** Patterns captured now. */
  readonly granted: readonly string[];
  /** Patterns of targets that the user has not allowed, or has revoked. */
  readonly missing: readonly string[];
}

/**
 * Makes the content script run on the targets' pages, in all frames whose own address matches, and nowhere else.
 * The registration outlives the browser, so that the first page after a start is captured from its beginning.
 * Firefox knows no ports in match patterns, so they are left out here and checked when entries come in.
 */
export async function registerCapture(settings: ExtensionSettings | null): Promise<CaptureState> {
  const patterns = [...new Set(settings?.targets.flatMap(({ match }) => match.map(withoutPort)) ?? [])].sort();
  const granted: string[] = [];
  const missing: string[] = [];
  for (const pattern of patterns) ((await isGranted(pattern)) ? granted : missing).push(pattern);

  const [registered] = await platform.scripting.getRegisteredContentScripts({ ids: [SCRIPT_ID] });
  if (registered && registered.matches?.slice().sort().join() === granted.join()) return { granted, missing };
  if (registered) await platform.scripting.unregisterContentScripts({ ids: [SCRIPT_ID] });
  if (granted.length > 0) {
    await platform.scripting.registerContentScripts([
      {
        id: SCRIPT_ID,
        matches: granted,
        js: [FILE],
        allFrames: true,
        runAt: 'document_start',
        persistAcrossSessions: true,
      },
    ]);
    await injectIntoOpenPages(granted);
  }
  return { granted, missing };
}

/** A pattern the browser cannot parse counts as not granted: it is shown, and the others go on. */
async function isGranted(pattern: string): Promise<boolean> {
  try {
    return await platform.permissions.contains({ origins: [pattern] });
  } catch {
    return false;
  }
}

/** Pages that were open before: their entries so far are still in the browser's buffer. */
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
