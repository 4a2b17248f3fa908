import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { Finding } from '../findings/finding.ts';
import { ENGLISH_FINDINGS, type FindingSubject, type FindingWords } from './english-findings.ts';
import { GERMAN_FINDINGS } from './german-findings.ts';
import type { Language } from './language.ts';

export interface FindingText {
  readonly title: string;
  /** How many requests, and what it would save. */
  readonly saves: string;
  readonly action: string;
}

/** @param nameOf the name of an app */
export function findingWords(finding: Finding, nameOf: (target: string) => string, language: Language): FindingText {
  const words = language === 'de' ? GERMAN_FINDINGS : ENGLISH_FINDINGS;
  const { kind, place, since, perRequestMs, facts, savedMs, savedShare, savedInterval } = finding;
  const { affectedRequests, affectedShare, affectedBrowsersShare } = finding;
  const own: FindingWords<never> = words[kind];
  const subject: FindingSubject = {
    ...facts,
    app: place.target === null ? '' : `${nameOf(place.target)}: `,
    host: hostLabel(place.host ?? ''),
    path: place.template,
    place: place.site,
    period: place.hours ?? [0, 24],
    since,
    perRequestMs,
  };
  const whole = savedShare === 0 ? 0 : savedMs / savedShare;
  const interval = whole === 0 ? ([0, 0] as const) : ([savedInterval[0] / whole, savedInterval[1] / whole] as const);
  return {
    title: own.title(subject),
    saves: words.more.saves({
      savedShare,
      interval,
      affectedRequests,
      affectedShare,
      browsersShare: affectedBrowsersShare,
      perRequestMs,
    }),
    action: own.action(subject),
  };
}
