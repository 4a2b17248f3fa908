import type { PauseLength } from '../background/pause.ts';
import type { Status } from '../background/status.ts';
import { ask } from './ask.ts';
import { makeButton } from './element.ts';
import { text } from './text.ts';

const LENGTHS: readonly PauseLength[] = ['hour', 'restart', 'forever'];

/** Ways to pause, or the way back; nothing where nothing is measured anyway. */
export function pauseButtons(
  status: Status,
  changed: (status: Status) => void,
  failed: (error: unknown) => void,
): HTMLElement[] {
  if (status.state === 'not_enrolled') return [];
  const press = (length: PauseLength | null) => async () => changed(await ask({ kind: 'pause', length }));
  if (status.paused) return [makeButton(text('resume'), '', press(null), failed)];
  const offered = LENGTHS.filter((length) => length !== 'forever' || status.mayPauseForGood);
  return offered.map((length) => makeButton(text(`pause_${length}`), 'plain', press(length), failed));
}
