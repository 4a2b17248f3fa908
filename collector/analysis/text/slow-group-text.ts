import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { SlowGroup, SlowValue } from '../summary/summary-document.ts';
import type { Texts } from './english.ts';
import type { ENGLISH_SLOW_GROUP } from './english-slow-group.ts';
import { wordFor } from './word-for.ts';

export type SlowGroupWords = typeof ENGLISH_SLOW_GROUP;

const DAY_MINUTES = 24 * 60;
/** A Monday. */
const MONDAY = Date.UTC(2026, 5, 1);
const KB = 1024;
/** A browser's random number is as well known by its beginning. */
const ID_LENGTH = 8;

/**
 * Describes the slow group in a few sentences; null if it is empty.
 * @param from where slow begins, ms
 * @param minutesAhead of the reader's time zone to UTC, in which hours are counted
 */
export function slowGroupText(
  { phase, values, reason, slow }: SlowGroup,
  from: number,
  words: SlowGroupWords,
  texts: Pick<Texts, 'types' | 'connections' | 'language'>,
  minutesAhead = 0,
): string | null {
  if (reason !== null) return reason === 'none' ? null : words.reasons[reason](from, slow);
  // The step of a lost packet says it of its phase too.
  const isSetUp = phase?.phase === 'tcp' || phase?.phase === 'dns';
  const said = isSetUp && values.some(({ dimension }) => dimension === 'retransmission');
  const spent = said ? null : phase;
  const named = values.map((one, i) =>
    words.share(spent === null && i === 0 ? from : null, labelOf(one, words, texts, minutesAhead), one),
  );
  const sentences = [...(spent === null ? [] : [words.spends(from, spent)]), ...named];
  return sentences.length === 0 ? null : sentences.join(' ');
}

function labelOf(
  { dimension, value }: SlowValue,
  { labels, notReported }: SlowGroupWords,
  { types, connections, language }: Pick<Texts, 'types' | 'connections' | 'language'>,
  ahead: number,
): string {
  if (value === null) return notReported[dimension];
  switch (dimension) {
    case 'host':
      return labels.host(hostLabel(value));
    case 'type':
      return labels.type(wordFor(types, value));
    case 'client':
      return labels.client(value.slice(0, ID_LENGTH));
    case 'browser':
      return labels.browser(value.slice(0, 1).toUpperCase() + value.slice(1));
    case 'connection':
      return labels.connection(wordFor(connections, value));
    case 'size':
      return labels.size(Number(value) / KB);
    case 'hourOfDay': {
      const minutes = Number(value) * 60 + ahead;
      return labels.hourOfDay(timeOf(minutes), timeOf(minutes + 60));
    }
    case 'hourOfWeek': {
      const minutes = Number(value) * 60 + ahead;
      const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
        MONDAY + Math.floor(minutes / DAY_MINUTES) * DAY_MINUTES * 60_000,
      );
      return labels.hourOfWeek(day, timeOf(minutes), timeOf(minutes + 60));
    }
    default:
      return labels[dimension](value);
  }
}

function timeOf(minutes: number): string {
  const ofDay = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return `${Math.floor(ofDay / 60)}:${String(ofDay % 60).padStart(2, '0')}`;
}
