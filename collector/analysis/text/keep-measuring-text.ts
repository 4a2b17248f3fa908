import type { KeepMeasuringReason } from '../../../shared/statistics/keep-measuring.ts';

const WORDS: Readonly<Record<KeepMeasuringReason, string>> = {
  few_samples: 'few samples',
  wide_quartiles: 'quartiles far apart',
  wide_interval: 'wide interval',
};

/** What a view's table holds for machines (`few_samples, wide_interval`), as people read it. */
export function keepMeasuringText(codes: string, translated = (words: string) => words): string {
  return codes
    .split(', ')
    .map((code) => translated(Object.hasOwn(WORDS, code) ? WORDS[code as KeepMeasuringReason] : code))
    .join(', ');
}
