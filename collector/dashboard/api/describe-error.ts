import { t } from '../text/t.ts';
import { ApiError } from './api-error.ts';

/** Any thrown value as an error with a code. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(
    0,
    'dashboard_failed',
    error instanceof Error ? error.message : String(error),
    t.app.errors.reload,
  );
}

/** Headline, message and hint in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? sentence(error.message) : String(error);
  return [toHeadline(error), ...toDetails(error)].join(' ');
}

/** What went wrong in the page's language; the collector's own message where the page has no words for the code. */
export function toHeadline({ code, message }: ApiError): string {
  return t.app.errors.headlines[code] ?? sentence(message);
}

/** What the headline leaves out, in the collector's words. */
export function toDetails({ code, message, hint }: ApiError): readonly string[] {
  if (t.app.errors.complete.includes(code)) return [];
  return [...(code in t.app.errors.headlines ? [sentence(message)] : []), ...(hint === '' ? [] : [hint])];
}

/** The collector's messages start in lower case, or with an address, which stays as it is, and have no full stop. */
export function sentence(text: string): string {
  const capital = /^\S*(?::\/\/|\w\.\w)/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
