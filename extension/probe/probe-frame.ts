/**
 * The offscreen document of one probe request: loads the target in a frame that shares nothing, or reports what only
 * documents can read.
 */

import { platform, type Runtime } from '../platform.ts';
import { originNow } from '../wall-origin.ts';
import { awaitEntry } from './await-entry.ts';
import type { FrameEntry, ProbeFrameMessage, ProbePowerMessage } from './offscreen.ts';

platform.runtime.onMessage.addListener((received: unknown, { url }: Runtime.MessageSender) => {
  // A page may have compromised the content script running in it.
  if (!url?.startsWith(platform.runtime.getURL(''))) return undefined;
  const message = received as ProbeFrameMessage | ProbePowerMessage | undefined;
  if (message?.kind === 'probe-frame') return load(message);
  if (message?.kind === 'probe-power') return isCharging();
  // Other messages within the extension are not for this document.
  return undefined;
});

async function load({ url, timeoutMs }: ProbeFrameMessage): Promise<FrameEntry> {
  const frame = document.createElement('iframe');
  // A partition of its own: no shared cookies, cache, connections or TLS sessions. https://wicg.github.io/anonymous-iframe/
  frame.setAttribute('credentialless', '');
  frame.setAttribute('sandbox', '');
  const awaited = awaitEntry(url);
  frame.src = url;
  document.body.append(frame);
  const entry = await awaited.within(timeoutMs);
  frame.remove();
  return { entry, timeOrigin: originNow() };
}

/** https://www.w3.org/TR/battery-status/. Also true if there is no battery. */
async function isCharging(): Promise<boolean | null> {
  const { getBattery } = navigator as { getBattery?: () => Promise<{ readonly charging: boolean }> };
  return getBattery ? (await getBattery.call(navigator)).charging : null;
}
