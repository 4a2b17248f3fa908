import { ENGINE } from '../build-constants.ts';
import { platform } from '../platform.ts';
import { closeOffscreen, openOffscreen } from './offscreen.ts';
import type { ProbePowerMessage } from './probe-messages.ts';

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
