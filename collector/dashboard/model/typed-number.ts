/** A number as people type it, with a decimal point or comma. Groups of three digits as in 1.000 would be ambiguous. */
const NUMBER = /^[+-]?(?:\d+|\d*[.,]\d+)$/;
const GROUPED = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** The number that was typed; text that is none stays as it is, so that it is shown and reported. */
export function typedNumber(text: string): number | string {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) && !GROUPED.test(trimmed) ? Number(trimmed.replace(',', '.')) : text;
}
