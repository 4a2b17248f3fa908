/** What can go wrong with the data folder or the engine behind it, whatever the engine is. Stable. */
export type StoreCode =
  | 'data_folder_unusable'
  | 'data_folder_in_use'
  | 'store_too_new'
  | 'store_corrupt'
  | 'store_full'
  | 'store_busy'
  | 'samples_unreachable'
  | 'samples_refused'
  | 'samples_expired'
  | 'too_many_samples'
  | 'too_many_groups'
  | 'answer_too_large'
  | 'settings_invalid'
  | 'control_address_invalid'
  | 'control_refused'
  | 'control_unreachable'
  | 'store_failed';

/** The only error a store throws. `message` and `hint` are for people and name no secrets. */
export class StoreError extends Error {
  readonly code: StoreCode;
  readonly hint: string;
  constructor(code: StoreCode, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.code = code;
    this.hint = hint;
  }
}

/** null if what it reads is no longer kept at the resolution that it needs, which other numbers may do without. */
export async function whereKept<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError && error.code === 'samples_expired') return null;
    throw error;
  }
}

const MAX_REASON_LENGTH = 200;

/** One line that says what went wrong, from the underlying error if there is one. */
export function toReason(error: unknown): string {
  const cause = error instanceof StoreError && error.code === 'store_failed' ? (error.cause ?? error) : error;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return (text.split('\n')[0] ?? '').slice(0, MAX_REASON_LENGTH);
}

/** Whether a thread with a limited heap died of outgrowing it: https://nodejs.org/api/errors.html#err_worker_out_of_memory */
export function answerTooLarge(cause: unknown): StoreError | null {
  if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') return null;
  return new StoreError(
    'answer_too_large',
    'the answer needs more memory than one query may use',
    'Request a shorter range, group by fewer dimensions, or filter.',
    cause,
  );
}
