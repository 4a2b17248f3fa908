const MAX_ERROR_LENGTH = 64;

/** A browser's error code as it may leave the browser; free text, which could name a URL, becomes `other`. */
export function errorCodeOf(error: string | null): string | null {
  if (error === null) return null;
  return error.length <= MAX_ERROR_LENGTH && /^(net::)?[A-Z][A-Z0-9_]*$/.test(error) ? error : 'other';
}
