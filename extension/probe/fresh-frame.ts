import { platform } from '../platform.ts';
import { closeOffscreen, openOffscreen } from './offscreen.ts';
import type { FrameEntry, ProbeFrameMessage } from './probe-messages.ts';

/** Opens a new offscreen document for each call: only a fresh one gives its frame a fresh partition. */
export async function loadInFreshDocument(url: string, timeoutMs: number): Promise<FrameEntry> {
  await closeOffscreen();
  await openOffscreen('IFRAME_SCRIPTING', 'Measures how long a new connection to the target takes.');
  const message: ProbeFrameMessage = { kind: 'probe-frame', url, timeoutMs };
  return (await platform.runtime.sendMessage(message)) as FrameEntry;
}
