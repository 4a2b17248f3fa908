import { platform } from '../platform.ts';
import type { FrameEntry, ProbeFrameMessage } from './probe-messages.ts';

const PAGE = 'probe-frame.html';

/** https://developer.chrome.com/docs/extensions/reference/api/offscreen; the polyfill's types leave it out. */
interface Offscreen {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
  hasDocument(): Promise<boolean>;
}

const { offscreen } = platform as unknown as { readonly offscreen?: Offscreen };

/** Opens a new offscreen document for each call: only a fresh one gives its frame a fresh partition. */
export async function loadInFreshDocument(url: string, timeoutMs: number): Promise<FrameEntry> {
  await closeFreshDocument();
  await offscreen?.createDocument({
    url: PAGE,
    reasons: ['IFRAME_SCRIPTING'],
    justification: 'Measures how long a new connection to the target takes.',
  });
  const message: ProbeFrameMessage = { kind: 'probe-frame', url, timeoutMs };
  return (await platform.runtime.sendMessage(message)) as FrameEntry;
}

export async function closeFreshDocument(): Promise<void> {
  if (await offscreen?.hasDocument()) await offscreen?.closeDocument();
}
