import type { Command } from 'commander';
import { zoneNamed } from '../../shared/settings/time-zones.ts';
import { zonedMoment } from '../analysis/time/zoned-time.ts';
import { UsageFailure } from '../lib/failure.ts';

export interface RangeOption {
  readonly from?: string;
  readonly to?: string;
  readonly last?: string;
  /** In which a date begins; UTC if absent. */
  readonly zone?: string;
}

const HOUR_MS = 3_600_000;
const UNITS = { h: HOUR_MS, d: 24 * HOUR_MS } as const;

/** `--from`, `--to` and `--last`. @param usual the default of `--from` */
export function addRangeOptions(command: Command, usual: string): Command {
  return command
    .option('--from <time>', `RFC 3339, or a date: its local midnight; inclusive; default ${usual}`)
    .option('--to <time>', 'the same; exclusive; default now')
    .option('--last <duration>', 'until now, such as 24h or 7d; instead of --from and --to');
}

/**
 * `from` and `to` as the query string of the same question takes them, RFC 3339; what isn't a date or a duration is passed
 * on, so that the question's own parser refuses it. Throws a UsageFailure.
 */
export function rangeParameters(
  { from, to, last, zone }: RangeOption,
  now: number,
): { readonly from?: string; readonly to?: string } {
  if (last !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new UsageFailure('--last contradicts --from and --to', 'Give --last alone, or --from and --to.');
    }
    return { from: new Date(now - durationOf(last)).toISOString() };
  }
  return {
    ...(from === undefined ? {} : { from: momentText(from, zone) }),
    ...(to === undefined ? {} : { to: momentText(to, zone) }),
  };
}

/** Throws a UsageFailure for a zone that does not exist, where nothing else reads it. */
export function checkZone({ zone }: RangeOption): void {
  if (zone === undefined || zoneNamed(zone) !== null) return;
  throw new UsageFailure(
    `--zone ${zone} is not a time zone`,
    'Name a time zone of the IANA database, such as Europe/Berlin or UTC.',
  );
}

/** A date without a time as its midnight in that zone, RFC 3339; any other text unchanged. */
export function momentText(text: string, zone = 'UTC'): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  // What names no zone is refused where zones are read.
  if (year === undefined || month === undefined || day === undefined || zoneNamed(zone) === null) return text;
  const date = new Date(Date.UTC(year, month - 1, day));
  // 30 February.
  if (date.toISOString().slice(0, 10) !== text) return text;
  return new Date(zonedMoment(zone, year, month, day)).toISOString();
}

function durationOf(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  if (unit === 'h' || unit === 'd') return Number(count) * UNITS[unit];
  throw new UsageFailure(`--last ${text} is not a duration`, 'Write hours or days, such as 1h, 24h, 7d or 30d.');
}
