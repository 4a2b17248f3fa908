import { ApiError } from './api-error.ts';

/** Any thrown value as an error with a code. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(
    0,
    'dashboard_failed',
    error instanceof Error ? error.message : String(error),
    'Reload the page.',
  );
}

/** Message and hint in one line. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError && error.hint !== '') return `${sentence(error.message)} ${error.hint}`;
  return error instanceof Error ? sentence(error.message) : String(error);
}

/** The collector's messages start in lower case and have no full stop. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
