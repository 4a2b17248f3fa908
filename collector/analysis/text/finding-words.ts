import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { Finding } from '../findings/finding.ts';
import type { QuantityName } from '../findings/quantities.ts';
import { type ActionName, ENGLISH_FINDINGS, type FindingNumbers, type FindingSubject } from './english-findings.ts';
import { GERMAN_FINDINGS } from './german-findings.ts';
import type { Language } from './language.ts';
import { pickTexts } from './texts.ts';
import { capital, wordFor } from './word-for.ts';

export interface FindingText {
  readonly title: string;
  /** How many requests, and what it would save. */
  readonly saves: string;
  readonly action: string;
}

/** A whole ordinary page is about 2 MB: a single answer of one is large, and its size is what to tell. */
const LARGE_BYTES = 1_000_000;
/** Told by how often they occur. */
const RATES: ReadonlySet<QuantityName> = new Set(['new_connections', 'cached', 'unmeasurable', 'errors']);

/** @param nameOf the name of an app */
export function findingWords(finding: Finding, nameOf: (target: string) => string, language: Language): FindingText {
  const words = language === 'de' ? GERMAN_FINDINGS : ENGLISH_FINDINGS;
  const { direction, place, savedMs, savedShare, savedInterval, perRequestMs } = finding;
  const { affectedRequests, affectedShare, affectedBrowsersShare } = finding;
  const whole = savedShare === 0 ? 0 : savedMs / savedShare;
  const interval = whole === 0 ? ([0, 0] as const) : ([savedInterval[0] / whole, savedInterval[1] / whole] as const);
  const { target, host, type, template, engine, ...others } = place;
  const subject: FindingSubject = {
    ...others,
    app: target === null ? null : nameOf(target),
    host: host === null ? null : hostLabel(host),
    path: template,
    type: type === null ? null : wordFor(pickTexts(language).types, type),
    engine: engine && capital(engine),
  };
  return {
    title: `${subjectWords(subject, words)}${words.during(finding.since, finding.until)}: ${happening(finding, words)}`,
    saves: words.saves({
      direction,
      savedShare,
      interval,
      affectedRequests,
      affectedShare,
      browsersShare: affectedBrowsersShare,
      perRequestMs,
    }),
    action: words.actions[actionFor(finding)],
  };
}

function subjectWords(subject: FindingSubject, { where, everywhere }: typeof ENGLISH_FINDINGS): string {
  const { app, host, path, type } = subject;
  const named = host === null || path === null ? [app, host, type] : [app, `${host}${path}`];
  const text = [...named, ...where(subject)].filter(Boolean).join(', ');
  return named.some(Boolean) ? text : capital(text || everywhere);
}

/** No release changes how connections open or what one site waits for, and no server is slow in one browser only. */
function actionFor({ kind, shape, direction, quantity, since, place: { host, site, engine } }: Finding): ActionName {
  if (direction === 'faster') return 'faster';
  if (shape === 'drift') return 'drift';
  if (since !== null && (kind === 'far_site' || (kind === 'change' && host === null && site !== null)))
    return 'site_change';
  if (kind === 'cold_cache' && (site !== null || engine !== null)) return 'no_room';
  if (kind === 'change' && (quantity === 'tcp' || quantity === 'dns')) return 'path_change';
  return kind === 'slow_group' && engine !== null ? 'slow_engine' : kind;
}

function happening({ kind, shape, quantity, facts }: Finding, words: typeof ENGLISH_FINDINGS): string {
  const numbers = facts as unknown as FindingNumbers;
  if (shape === 'drift') return words.drift(quantity, numbers);
  if (shape === 'level' && (kind === 'early_close' || kind === 'packet_loss') && quantity !== 'blocked')
    return words[kind](numbers);
  if (shape === 'tail') return words.tail(quantity, numbers);
  if (kind === 'held_back' || kind === 'challenges') return words[kind](numbers);
  if (kind === 'large_download' && (facts.bytes ?? 0) >= LARGE_BYTES) return words.large_download(numbers);
  return RATES.has(quantity) ? words.rate(quantity, numbers) : words.level(quantity, numbers);
}
