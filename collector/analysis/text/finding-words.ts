import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { Finding, FindingKind } from '../findings/finding.ts';
import { ENGLISH_FINDINGS } from './english-findings.ts';
import { GERMAN_FINDINGS } from './german-findings.ts';
import type { Language } from './language.ts';

/** The values in a finding's sentences, besides the facts of its kind. */
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
}

/** What each kind's sentences say, of its finding's facts. */
interface FactsByKind {
  readonly slow_server: 'waitMs' | 'peersMs';
  readonly slow_third_party: 'waitMs' | 'peersMs';
  readonly slow_hours: 'factor';
  readonly packet_loss: 'lossShare' | 'connects';
  readonly early_close: 'idleMs';
  readonly full_handshakes: 'perHandshakeMs';
  readonly inspection: never;
  readonly far_site: 'connectMs' | 'elsewhereMs';
  readonly slow_dns: 'lookupMs' | 'elsewhereMs';
  readonly large_download: 'bytes' | 'receiveMs';
  readonly queueing: 'blockedMs';
  readonly cold_cache: 'cachedShare' | 'elsewhereShare';
  readonly slow_browser: 'blockedMs';
  readonly busy_line: 'factor';
  readonly errors: 'errorShare' | 'days';
  readonly redirects: 'redirectedShare';
  readonly change: 'beforeMs' | 'afterMs';
}

interface FindingWords<Fact extends string> {
  /** What users wait for, and where. */
  title(of: FindingSubject & Readonly<Record<Fact, number>>): string;
  /** Whose it is, and what to do. */
  action(of: FindingSubject & Readonly<Record<Fact, number>>): string;
}

export type WordsByKind = { readonly [Kind in FindingKind]: FindingWords<FactsByKind[Kind]> };

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
