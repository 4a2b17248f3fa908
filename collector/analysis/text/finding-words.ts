import type { Finding } from '../findings/finding.ts';
import { ENGLISH_FINDINGS } from './english-findings.ts';
import { GERMAN_FINDINGS } from './german-findings.ts';
import type { Language } from './language.ts';

/** The values in a finding's sentences. Numbers that its kind does not have are NaN. */
export interface FindingSubject {
  /** Ends with a separator, as the subject that follows needs it; empty if no app is named. */
  readonly app: string;
  /** Empty if no host is named. */
  readonly host: string;
  readonly path: string | null;
  /** The site. */
  readonly place: string | null;
  readonly period: readonly [number, number];
  readonly since: string | null;
  readonly perRequestMs: number;
  readonly [fact: string]: string | number | null | readonly [number, number];
}

type Facts = Readonly<
  Record<
    | 'waitMs'
    | 'peersMs'
    | 'factor'
    | 'lossShare'
    | 'connects'
    | 'idleMs'
    | 'perHandshakeMs'
    | 'connectMs'
    | 'elsewhereMs'
    | 'lookupMs'
    | 'bytes'
    | 'receiveMs'
    | 'blockedMs'
    | 'cachedShare'
    | 'elsewhereShare'
    | 'errorShare'
    | 'days'
    | 'redirectedShare'
    | 'beforeMs'
    | 'afterMs',
    number
  >
>;

export interface FindingWords {
  /** What users wait for, and where. */
  title(of: FindingSubject & Facts): string;
  /** Whose it is, and what to do. */
  action(of: FindingSubject & Facts): string;
}

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
  const subject = {
    ...facts,
    app: place.target === null ? '' : `${nameOf(place.target)}: `,
    host: place.host ?? '',
    path: place.template,
    place: place.site,
    period: place.hours ?? [0, 24],
    since,
    perRequestMs,
  } as FindingSubject & Facts;
  const whole = savedShare === 0 ? 0 : savedMs / savedShare;
  const interval = whole === 0 ? ([0, 0] as const) : ([savedInterval[0] / whole, savedInterval[1] / whole] as const);
  return {
    title: words[kind].title(subject),
    saves: words.more.saves({
      savedShare,
      interval,
      affectedRequests,
      affectedShare,
      browsersShare: affectedBrowsersShare,
      perRequestMs,
    }),
    action: words[kind].action(subject),
  };
}
