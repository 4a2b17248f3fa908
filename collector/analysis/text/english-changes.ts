import type { Explanation } from '../changes/explaining-annotation.ts';
import type { GroupChange } from '../changes/group-change.ts';
import { numberWords } from './numbers.ts';

const { amount, count } = numberWords('en');

function dayOf(days: number): string {
  return days === 0 ? 'On the day of' : days === 1 ? '1 day after' : `${count(days)} days after`;
}

/** Lasting changes in English; see `GERMAN_CHANGES`. */
export const ENGLISH_CHANGES = {
  heading: 'Changed in this range',
  none: (tested: number): string =>
    tested === 0
      ? 'Lasting changes are looked for where there are at least 8 days of measurements.'
      : 'No lasting change in this range.',
  more: (n: number) => `${count(n)} more`,
  title: (subject: string, { difference, direction, statistic }: GroupChange, day: string) =>
    `${subject}: ${amount(Math.abs(difference))} ms ${direction} ${statistic === 'mean' ? 'on average' : 'at the median'} since ${day}`,
  after: ({ text, daysBefore }: Explanation) => `${dayOf(daysBefore)} “${text}”.`,
  numbers: ({ before, after, interval: [low, high] }: GroupChange) => {
    const [least, most] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
    return `From ${amount(before)} to ${amount(after)} ms; the difference is ${amount(least)} to ${amount(most)} ms (95 %).`;
  },
  days: (first: string, last: string) => `It began between ${first} and ${last}.`,
  others: (names: readonly string[], more: number) =>
    `With it: ${names.join('; ')}${more === 0 ? '' : `; ${count(more)} more`}.`,
  site: (name: string | null) => (name === null || name === '' ? 'Browsers without a site' : `Site ${name}`),
};
