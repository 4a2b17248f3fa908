import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import { ENGINE } from '../build-constants.ts';
import { platform } from '../platform.ts';

const PAGE = 'probe-frame.html';

/** https://developer.chrome.com/docs/extensions/reference/api/offscreen; the polyfill's types leave it out. */
interface Offscreen {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
  hasDocument(): Promise<boolean>;
}

/** Background → offscreen document: load this in a frame and return its entry. Answered with a FrameEntry. */
export interface ProbeFrameMessage {
  readonly kind: 'probe-frame';
  readonly url: string;
  readonly timeoutMs: number;
}

/** Background → offscreen document: is the machine on mains power? Answered with true, false, or null for unknown. */
export interface ProbePowerMessage {
  readonly kind: 'probe-power';
}

export interface FrameEntry {
  /** null if none arrived in time. */
  readonly entry: TimingEntry | null;
  /** Time origin of the offscreen document (wallOrigin). */
  readonly timeOrigin: number;
}

const { offscreen } = platform as unknown as { readonly offscreen?: Offscreen };

/** Chromium only; in Firefox this and `closeOffscreen` do nothing. Only one such document can exist at a time. */
async function openOffscreen(reason: 'IFRAME_SCRIPTING' | 'BATTERY_STATUS', justification: string): Promise<void> {
  await offscreen?.createDocument({ url: PAGE, reasons: [reason], justification });
}

export async function closeOffscreen(): Promise<void> {
  if (await offscreen?.hasDocument()) await offscreen?.closeDocument();
}

/** Opens a new offscreen document for each call: only a fresh one gives its frame a fresh network partition. */
export async function loadInFreshDocument(url: string, timeoutMs: number): Promise<FrameEntry> {
  await closeOffscreen();
  await openOffscreen('IFRAME_SCRIPTING', 'Measures how long a new connection to the target takes.');
  const message: ProbeFrameMessage = { kind: 'probe-frame', url, timeoutMs };
  return (await platform.runtime.sendMessage(message)) as FrameEntry;
}

/**
 * True on mains power and if there is no battery; null in Firefox, which does not report it
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=1313580). Workers have no Battery Status API, documents do.
 * https://www.w3.org/TR/battery-status/
 */
export async function isOnPower(): Promise<boolean | null> {
  if (ENGINE === 'firefox') return null;
  await closeOffscreen();
  await openOffscreen('BATTERY_STATUS', 'Checks that a probe runs on mains power only.');
  try {
    const message: ProbePowerMessage = { kind: 'probe-power' };
    return (await platform.runtime.sendMessage(message)) as boolean | null;
  } finally {
    await closeOffscreen();
  }
}
