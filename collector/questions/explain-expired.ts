import type { BusinessHours } from '../analysis/time/business-hours.ts';
import type { OutlierRule } from '../storage/passes/mark-outliers.ts';
import { StoreError } from '../storage/store-error.ts';

interface Accounting {
  readonly hours: BusinessHours | null;
  readonly outliers: OutlierRule;
}

/** Why a choice of accounting needs what is no longer kept, and what can be asked instead; any other error as it is. */
export function explainExpired(error: unknown, { hours, outliers }: Accounting, atFullHours: boolean): unknown {
  if (!(error instanceof StoreError) || error.code !== 'samples_expired') return error;
  if (outliers.rule !== 'none') {
    return because('outlier rules are read sample by sample', 'Leave the outlier rule away', 'sampleDays');
  }
  if (hours === null) return error;
  return atFullHours
    ? because(
        'business hours are counted from hours',
        'Leave business hours away: days and months are kept longer',
        'hourDays',
      )
    : because(
        'business hours that begin or end inside of an hour of UTC are counted from hours and, at both ends, from samples',
        'Ask for business hours that begin and end at full hours of UTC, as 08:30-18:30 does in Asia/Kolkata',
        'sampleDays',
      );

  function because(need: string, instead: string, setting: string): StoreError {
    return new StoreError(
      'samples_expired',
      `${need}, and ${(error as StoreError).message}`,
      `${instead}, or ask from that time on. retention.${setting} in the settings says how long they are kept.`,
    );
  }
}
