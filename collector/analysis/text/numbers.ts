import type { Language } from './language.ts';

/** Printed in place of an unknown number. */
export const DASH = '–';

/** Beyond these decimals a rate is less than one event in eleven days. */
const MOST_DECIMALS = 6;
const SMALLEST_RATE = 10 ** -MOST_DECIMALS;

export type Numbers = ReturnType<typeof makeNumbers>;

const made = new Map<Language, Numbers>();

/** Number formats of a language, independent of the machine's locale. */
export function numberWords(language: Language): Numbers {
  const numbers = made.get(language) ?? makeNumbers(language);
  made.set(language, numbers);
  return numbers;
}

function makeNumbers(language: Language) {
  const formats = new Map<string, Intl.NumberFormat>();
  const format = (size: number, least: number, most: number) => {
    const id = `${least} ${most}`;
    const known =
      formats.get(id) ?? new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most });
    formats.set(id, known);
    return known.format(size);
  };
  const signed = (value: number, least: number, most: number) => {
    const text = format(Math.abs(value), least, most);
    return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
  };

  /** Grouped, with exactly that many decimals. */
  const fixed = (value: number, decimals: number) => signed(value, decimals, decimals);
  /** Grouped, with at most that many decimals. */
  const upTo = (value: number, decimals: number) => signed(value, 0, decimals);
  const count = (value: number) => fixed(Math.round(value), 0);

  /**
   * Milliseconds without the unit. One decimal below 10, where 0.1 ms is the resolution of Chromium's timer; whole numbers
   * above. A true 0 is `0`; a value that would round to it is `<0.1`.
   */
  const ms = (value: number) => {
    const size = Math.abs(value);
    if (size === 0) return '0';
    if (size < 0.05) return value < 0 ? `>−${fixed(0.1, 1)}` : `<${fixed(0.1, 1)}`;
    return fixed(value, size < 9.95 ? 1 : 0);
  };
  /** The same with its sign, for differences. */
  const difference = (value: number) => `${value > 0 ? '+' : ''}${ms(value)}`;
  /** For sentences: whole from 10 on, at most one decimal below. */
  const amount = (value: number) => upTo(Math.abs(value) >= 9.95 ? Math.round(value) : Number(value.toFixed(1)), 1);

  /** How many times as often or as long: to two digits, since the quotient of two counts is known no better. */
  const times = (value: number) => upTo(Number(value.toPrecision(2)), value < 3 ? 1 : 0);

  /** A limit with its unit, in seconds from one second on. */
  const limit = (value: number) => (value < 999.5 ? `${amount(value)} ms` : `${amount(value / 1000)} s`);

  /** A share 0 … 1 as percent; shares that would wrongly round to 0 or 100 say so. */
  const share = (value: number) => {
    const percent = value * 100;
    if (percent === 0 || percent === 100) return `${fixed(percent, 0)} %`;
    if (percent < 0.05) return `<${fixed(0.1, 1)} %`;
    if (percent > 99.95) return `>${fixed(99.9, 1)} %`;
    return `${fixed(percent, 1)} %`;
  };
  /** The same in whole percent. */
  const wholeShare = (value: number) => {
    if (value > 0 && value < 0.005) return '<1 %';
    if (value < 1 && value > 0.995) return '>99 %';
    return `${fixed(value * 100, 0)} %`;
  };
  /** A percent or less with a decimal. */
  const smallShare = (value: number) => (value >= 0.015 ? wholeShare(value) : `${upTo(value * 100, 1)} %`);

  /**
   * Rates below 1 per second keep two figures: 0.00036 is one request in 46 minutes, and 0.00 would call it never.
   * Rarer than six decimals can show is `<0.000001`.
   *
   * @param large formats rates of 0 and from 1 on
   */
  const rate = (perSecond: number, large: (perSecond: number) => string) => {
    if (perSecond === 0 || Math.abs(perSecond) >= 1) return large(perSecond);
    if (perSecond > 0 && perSecond < SMALLEST_RATE) return `<${fixed(SMALLEST_RATE, MOST_DECIMALS)}`;
    return fixed(perSecond, Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(Math.abs(perSecond)))));
  };

  /** For the ticks of an axis: as many decimals as their step needs. */
  const tick = (value: number, _index: number, ticks: readonly number[] = []) => {
    const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
    return fixed(value, step === 0 ? 0 : Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  };

  return { fixed, upTo, count, ms, difference, amount, times, limit, share, wholeShare, smallShare, rate, tick };
}
