import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { formatPeriod } from '../text/moment.ts';
import { t } from '../text/t.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Presets end now; the URL contains their names. */
export const PRESETS = [
  { name: '15m', span: 15 * MINUTE },
  { name: '1h', span: HOUR },
  { name: '24h', span: DAY },
  { name: '7d', span: 7 * DAY },
  { name: '30d', span: 30 * DAY },
] as const;
export type PresetName = (typeof PRESETS)[number]['name'];

export const DEFAULT_PRESET: PresetName = '24h';

/** A preset, which moves with the clock, or a fixed range. */
export type RangeChoice = { readonly preset: PresetName } | TimeRange;

/**
 * The range for the API. A preset ends at the next whole second, because `to` is exclusive and a sample from this moment
 * belongs to "the last hour".
 */
export function resolveRange(choice: RangeChoice, now: number): TimeRange {
  if (!('preset' in choice)) return choice;
  const preset = PRESETS.find(({ name }) => name === choice.preset);
  const span = preset === undefined ? DAY : preset.span;
  const to = (Math.floor(now / 1000) + 1) * 1000;
  return { from: to - span, to };
}

export function isPresetName(text: string): text is PresetName {
  return PRESETS.some(({ name }) => name === text);
}

/** Completes a sentence after `in`: `the last 24 hours`. */
export function describeRange(choice: RangeChoice): string {
  if ('preset' in choice) return t.app.ranges[choice.preset].words;
  return t.app.during(formatPeriod(choice.from, choice.to));
}

/** Local time to the minute, as date fields have it: `2026-03-01T09:05`. */
export function toField(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
