import type { Saving } from '../what-if/saving.ts';
import { ENGLISH_WHAT_IF, NO_FACTS, type WhatIfSubject, type WhatIfTexts } from './english-what-if.ts';
import { GERMAN_WHAT_IF } from './german-what-if.ts';
import type { Language } from './language.ts';

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
  };
  const { since } = saving.facts;
  return {
    title: words.title(subject),
    saves: describeSaving(saving, subject, texts),
    assumption: words.assumption + (since === undefined ? '' : ` ${texts.more.since(since)}`),
  };
}

function describeSaving(saving: Saving, subject: WhatIfSubject, { more, ...texts }: WhatIfTexts): string {
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
