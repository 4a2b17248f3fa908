import type { TimingEntry } from '../../shared/timing/timing-entry.ts';

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
