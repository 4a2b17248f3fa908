import type { Remedy, Saving, WhatIfReason } from '../what-if/saving.ts';
import { ENGLISH_WHAT_IF } from './english-what-if.ts';
import { GERMAN_WHAT_IF } from './german-what-if.ts';
import type { Language } from './language.ts';

/** The values in the sentences of a saving. Numbers that its remedy does not have are NaN. */
export interface WhatIfSubject {
  readonly seconds: number;
  readonly site: string;
  readonly nearSite: string;
  readonly affected: number;
  readonly perRequestMs: number;
  readonly connections: number;
  readonly connectionsAfter: number;
  readonly handshakes: number;
  readonly full: number;
  readonly before13: number;
  readonly http1Requests: number;
  readonly slowShare: number;
  readonly fromMs: number;
  readonly fartherMs: number;
  readonly opaqueShare: number;
  readonly hiddenShare: number;
}

export interface WhatIfWords {
  /** What would be done. */
  title(of: WhatIfSubject): string;
  /** Why nothing would be saved. */
  nothing(of: WhatIfSubject): string;
  readonly assumption: string;
}

export interface WhatIfMoreWords {
  saves(share: number, interval: readonly [number, number], affected: number, perRequestMs: number): string;
  /** The same where users would wait longer. */
  costs(share: number, interval: readonly [number, number], affected: number, perRequestMs: number): string;
  /** The same where it rounds to nothing. */
  hardly(affected: number): string;
  shows(of: WhatIfSubject): string;
  readonly reasons: Readonly<Record<WhatIfReason, string>>;
}

export type WhatIfTexts = Readonly<Record<Remedy, WhatIfWords>> & { readonly more: WhatIfMoreWords };

/** Smaller shares are 0.0 %. */
const HARDLY = 0.0005;

export interface WhatIfText {
  readonly title: string;
  /** How much, why nothing, or why it is not known. */
  readonly saves: string;
  readonly assumption: string;
}

export function whatIfWords(saving: Saving, language: Language): WhatIfText {
  const texts = language === 'de' ? GERMAN_WHAT_IF : ENGLISH_WHAT_IF;
  const words = texts[saving.remedy];
  const subject = {
    ...NO_FACTS,
    ...saving.facts,
    seconds: saving.seconds ?? Number.NaN,
    site: saving.site ?? '',
    nearSite: saving.nearSite ?? '',
    affected: saving.affectedRequests,
    perRequestMs: saving.perRequestMs ?? Number.NaN,
  };
  return { title: words.title(subject), saves: savesOf(saving, subject, texts), assumption: words.assumption };
}

function savesOf(saving: Saving, subject: WhatIfSubject, { more, ...texts }: WhatIfTexts): string {
  const { reason, savedMs, savedInterval, savedShare, affectedRequests, perRequestMs } = saving;
  if (reason !== null) return more.reasons[reason];
  if (affectedRequests === 0) return texts[saving.remedy].nothing(subject);
  if (saving.remedy === 'timing_allowed') return more.shows(subject);
  if (savedMs === null || savedInterval === null || savedShare === null || perRequestMs === null) return '';
  if (Math.abs(savedShare) < HARDLY) return more.hardly(affectedRequests);
  const whole = savedMs / savedShare;
  const [low, high] = [savedInterval[0] / whole, savedInterval[1] / whole];
  return savedMs < 0
    ? more.costs(-savedShare, [-high, -low], affectedRequests, -perRequestMs)
    : more.saves(savedShare, [low, high], affectedRequests, perRequestMs);
}

const NO_FACTS = {
  connections: Number.NaN,
  connectionsAfter: Number.NaN,
  handshakes: Number.NaN,
  full: Number.NaN,
  before13: Number.NaN,
  http1Requests: Number.NaN,
  slowShare: Number.NaN,
  fromMs: Number.NaN,
  fartherMs: Number.NaN,
  opaqueShare: Number.NaN,
  hiddenShare: Number.NaN,
};
