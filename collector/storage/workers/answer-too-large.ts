import { StoreError } from '../store-error.ts';

/** Why a thread with a limited heap ended, if it outgrew it: https://nodejs.org/api/errors.html#err_worker_out_of_memory */
export function answerTooLarge(death: unknown): StoreError | null {
  if ((death as NodeJS.ErrnoException | undefined)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') return null;
  return new StoreError(
    'answer_too_large',
    'the answer takes more memory than one question may have',
    'Ask for a shorter range, group by less, or filter.',
    death,
  );
}
