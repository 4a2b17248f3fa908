/** The offscreen document of one probe run: loads the target in a frame that shares nothing with anybody. */
import { copyEntry } from '../content/copy-entry.ts';
import { platform } from '../platform.ts';
import { awaitEntry } from './await-entry.ts';
import type { FrameEntry, ProbeFrameMessage } from './probe-messages.ts';

platform.runtime.onMessage.addListener((received: unknown) => {
  const message = received as ProbeFrameMessage;
  // Whatever else is said in the extension is not for this document.
  return message?.kind === 'probe-frame' ? load(message) : undefined;
});

async function load({ url, timeoutMs }: ProbeFrameMessage): Promise<FrameEntry> {
  const frame = document.createElement('iframe');
  // A partition of its own: no cookies, no cache, no connection and no TLS session of anybody else's.
  // https://wicg.github.io/anonymous-iframe/
  frame.setAttribute('credentialless', '');
  frame.setAttribute('sandbox', '');
  const awaited = awaitEntry(url);
  frame.src = url;
  document.body.append(frame);
  const entry = await awaited.within(timeoutMs);
  frame.remove();
  return { entry: entry && copyEntry(entry), timeOrigin: performance.timeOrigin };
}
