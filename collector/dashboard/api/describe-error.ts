import { ApiError } from './api-error.ts';

/** Whatever was thrown, as an error with a code. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(
    0,
    'dashboard_failed',
    error instanceof Error ? error.message : String(error),
    'Reload the page.',
  );
}

/** What happened and the likely fix, in one line. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError && error.hint !== '') return `${sentence(error.message)} ${error.hint}`;
  return error instanceof Error ? sentence(error.message) : String(error);
}

/** The collector's messages start small and end without a stop. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
