/** A number for a sentence. Whole from 10 on, one decimal below: more than users could ever feel is noise. */
export function amount(value: number): string {
  const text = Math.abs(value) >= 9.95 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
  return text.replace(/^-0$/, '0').replace(/\B(?=(\d{3})+$)/g, ',');
}
