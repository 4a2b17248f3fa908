import type { ChangeWords } from './change-event-text.ts';
import { numberWords } from './numbers.ts';

const { amount, count } = numberWords('de');

function dayOf(days: number): string {
  return days === 0 ? 'Am Tag von' : days === 1 ? '1 Tag nach' : `${count(days)} Tage nach`;
}

export const GERMAN_CHANGES: ChangeWords = {
  heading: 'Verändert in diesem Zeitraum',
  none: (tested) =>
    tested === 0
      ? 'Bleibende Veränderungen werden ab 8 Tagen mit Messungen gesucht.'
      : 'In diesem Zeitraum gab es keine bleibende Veränderung.',
  more: (n) => `${count(n)} weitere`,
  title: (subject, { difference, direction, statistic }, day) =>
    `${subject}: seit ${day} ${statistic === 'mean' ? 'im Mittel' : 'im Median'} ${amount(Math.abs(difference))} ms ${direction === 'slower' ? 'langsamer' : 'schneller'}`,
  after: ({ text, daysBefore }) => `${dayOf(daysBefore)} „${text}“.`,
  numbers: ({ before, after, interval: [low, high] }) => {
    const [least, most] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
    return `Von ${amount(before)} auf ${amount(after)} ms; der Unterschied beträgt ${amount(least)} bis ${amount(most)} ms (95 %).`;
  },
  days: (first, last) => `Zwischen ${first} und ${last} hat es begonnen.`,
  others: (names, more) => `Zugleich: ${names.join('; ')}${more === 0 ? '' : `; ${count(more)} weitere`}.`,
  site: (name) => (name === null || name === '' ? 'Browser ohne Standort' : `Standort ${name}`),
};
