import type { Breakage } from '../../shared/journeys/breakage.ts';
import type { RunOutcome } from '../../shared/journeys/run-outcome.ts';
import type { ScheduledJourney } from '../../shared/settings/probe-settings.ts';
import type { StepOutcome } from '../../shared/vocabulary/probe-words.ts';
import type { SkipReason } from '../../shared/wire/browser-status.ts';

/** The run of a journey, as far as it has come. Kept on disk, since the samples of its steps may come after the background's death. */
export interface RobotRun {
  /** Id of the journey. */
  readonly id: string;
  /** When the run began: with the id it names the run. */
  readonly at: number;
  /** The moment of each step's event so far, epoch ms; null for one without. */
  readonly steps: readonly (number | null)[];
  /** Epoch ms; null while it goes on. */
  readonly endedAt: number | null;
}

/** What the robot's page is to replay. */
export interface RobotOrder {
  readonly journey: ScheduledJourney;
  readonly at: number;
  /** Match patterns of its app. */
  readonly patterns: readonly string[];
}

export type RobotResult =
  | { readonly skipped: SkipReason }
  | { readonly skipped: null; readonly outcome: Pick<RunOutcome, 'steps' | 'broke'> };

/** The outcomes of a run as its report has them. */
export function toStepOutcomes({ steps, broke }: Pick<RunOutcome, 'steps' | 'broke'>): StepOutcome[] {
  return steps.map(({ step, name, ms }) => {
    const reason = broke?.step === step ? broke.reason : null;
    return { url: name, ok: reason === null, reason, time: ms === null ? null : Math.round(ms * 1000) };
  });
}

/** As the wire takes it; selectors can have any length. */
export function shorten({ step, reason, detail, lookedFor, page }: Breakage): Breakage {
  const cut = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();
  return {
    step,
    reason,
    detail: detail && cut(detail),
    lookedFor: lookedFor.slice(0, MAX_SELECTORS).map(cut),
    page: page && { ...page, url: cut(page.url) },
  };
}

const MAX_TEXT = 200;
const MAX_SELECTORS = 10;
/** The step that a request of this moment belongs to, from 1; null before the first and after the run. */
export function stepAt({ steps, endedAt }: RobotRun, time: number): number | null {
  if (endedAt !== null && time > endedAt) return null;
  const begun = steps.flatMap((at, index) => (at !== null && at <= time + CLOCKS_MS ? [index + 1] : []));
  return begun.at(-1) ?? null;
}

/** A page's clock and the background's may be this far apart, ms. */
const CLOCKS_MS = 2;
