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

/** Background → offscreen document: load this in a frame and hand back its entry. Answered with a FrameEntry. */
export interface ProbeFrameMessage {
  readonly kind: 'probe-frame';
  readonly url: string;
  readonly timeoutMs: number;
}

/** Background → offscreen document: is the machine on mains? Answered with true, false, or null for not told. */
export interface ProbePowerMessage {
  readonly kind: 'probe-power';
}

export interface FrameEntry {
  /** null where none came in time. */
  readonly entry: TimingEntry | null;
  /** Of the offscreen document (wallOrigin). */
  readonly timeOrigin: number;
}

const { offscreen } = platform as unknown as { readonly offscreen?: Offscreen };

/** Chromium's; where there is none (Firefox) both do nothing. There is one such document at a time. */
async function openOffscreen(reason: 'IFRAME_SCRIPTING' | 'BATTERY_STATUS', justification: string): Promise<void> {
  await offscreen?.createDocument({ url: PAGE, reasons: [reason], justification });
}

export async function closeOffscreen(): Promise<void> {
  if (await offscreen?.hasDocument()) await offscreen?.closeDocument();
}

/** Opens a new offscreen document for each call: only a fresh one gives its frame a fresh partition. */
export async function loadInFreshDocument(url: string, timeoutMs: number): Promise<FrameEntry> {
  await closeOffscreen();
  await openOffscreen('IFRAME_SCRIPTING', 'Measures how long a new connection to the target takes.');
  const message: ProbeFrameMessage = { kind: 'probe-frame', url, timeoutMs };
  return (await platform.runtime.sendMessage(message)) as FrameEntry;
}

/**
 * True on mains, and where there is no battery at all; null in Firefox, which tells nobody
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=1313580). A worker has no Battery Status API, a document has.
 * https://www.w3.org/TR/battery-status/
 */
export async function isOnPower(): Promise<boolean | null> {
  if (ENGINE === 'firefox') return null;
  await closeOffscreen();
  await openOffscreen('BATTERY_STATUS', 'A probe is to run on mains power only.');
  try {
    const message: ProbePowerMessage = { kind: 'probe-power' };
    return (await platform.runtime.sendMessage(message)) as boolean | null;
  } finally {
    await closeOffscreen();
  }
}
