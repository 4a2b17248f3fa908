import { wallTime } from '../time/zoned-time.ts';
import { type AnnotationDocument, concerns } from './annotation-document.ts';
import type { ChangeEvent } from './change-events.ts';

const DAY_MS = 24 * 3_600_000;
/** A release on a Friday evening may show on Monday only. */
const MAX_DAYS_BEFORE = 3;

/** What is needed of an annotation; `at` is RFC 3339 or epoch ms. */
type Noted = Pick<AnnotationDocument, 'text' | 'target' | 'host'> & { readonly at: string | number };

/** An annotation next to the change that it may explain. */
export interface Explanation {
  readonly text: string;
  /** Whole days from its date to the first day of the change. */
  readonly daysBefore: number;
}

/** The last annotation about the same, from shortly before the change to its first day; null if there is none. */
export function explainingAnnotation(
  { lead, others }: ChangeEvent,
  annotations: readonly Noted[],
  zone: string,
): Explanation | null {
  const valuesOf = (name: 'target' | 'host') => [lead, ...others].flatMap((change) => change[name] ?? []);
  const [apps, hosts] = [valuesOf('target'), valuesOf('host')];
  const since = Date.parse(lead.since);
  const near = annotations.flatMap((one): Explanation[] => {
    const daysBefore = (since - dateOf(new Date(one.at).getTime(), zone)) / DAY_MS;
    const fits = daysBefore >= 0 && daysBefore <= MAX_DAYS_BEFORE && concerns(one, apps, hosts);
    return fits ? [{ text: one.text, daysBefore }] : [];
  });
  return near.sort((a, b) => a.daysBefore - b.daysBefore)[0] ?? null;
}

/** Midnight UTC of the date. */
function dateOf(at: number, zone: string): number {
  const { year, month, day } = wallTime(at, zone);
  return Date.UTC(year, month - 1, day);
}
