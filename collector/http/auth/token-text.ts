import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Role, StoredToken } from '../../storage/store.ts';

/** 256 bits: nobody guesses one, so a plain hash without salt is enough to keep. */
const TOKEN_BYTES = 32;

/** A new token: what is stored, and the text that is shown once. The prefix lets people and scanners recognise it. */
export function makeToken(role: Role, label: string, createdAt: number): { stored: StoredToken; token: string } {
  const token = `lb_${role}_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  // SQLite stores UTF-8, which can't spell half of a surrogate pair.
  const stored = { id: randomUUID(), role, hash: hashToken(token), createdAt, label: label.toWellFormed() };
  return { stored, token };
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}
