import type { StoredToken } from '../../storage/store.ts';

/** The author of what was written with a token: the label that it was created with. */
export function nameOfToken(token: StoredToken | null): string {
  return token === null ? '' : token.label || `${token.role} token`;
}
