import type { Language } from '../../analysis/text/language.ts';

interface Numbers {
  /** Grouped, with exactly so many decimals. */
  fixed(value: number, decimals: number): string;
  count(value: number): string;
  /** Milliseconds without the unit: one decimal below 10, whole above; `<0.1` is not 0. */
  ms(value: number): string;
  /** 0 … 1 as percent, with a space before the sign. */
  share(value: number): string;
}

/** What stands where a number is unknown. */
export const DASH = '–';

/** Of a rate that is seen once in days. */
const MOST_DECIMALS = 6;

const cache = new Map<Language, Numbers>();

/** Numbers as the readers of a language write them. Nothing of it depends on the machine's own locale. */
export function numbersOf(language: Language): Numbers {
  const known = cache.get(language);
  if (known) return known;
  const formats = Array.from(
    { length: MOST_DECIMALS + 1 },
    (_, decimals) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  );
  const fixed = (value: number, decimals: number) => {
    const text = (formats[decimals] ?? formats[MOST_DECIMALS])?.format(Math.abs(value)) ?? '';
    return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
  };
  const ms = (value: number) => {
    const size = Math.abs(value);
    if (size === 0) return '0';
    if (size < 0.05) return value < 0 ? `>−${fixed(0.1, 1)}` : `<${fixed(0.1, 1)}`;
    return fixed(value, size < 9.95 ? 1 : 0);
  };
  const share = (value: number) => {
    const percent = value * 100;
    if (percent === 0 || percent === 100) return `${fixed(percent, 0)} %`;
    if (percent < 0.05) return `<${fixed(0.1, 1)} %`;
    if (percent > 99.95) return `>${fixed(99.9, 1)} %`;
    return `${fixed(percent, 1)} %`;
  };
  const numbers = { fixed, ms, share, count: (value: number) => fixed(Math.round(value), 0) };
  cache.set(language, numbers);
  return numbers;
}
