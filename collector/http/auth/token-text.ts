import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Role, StoredToken } from '../../storage/store.ts';

/** 256 bits can't be guessed, so storing a plain hash without salt is enough. */
const TOKEN_BYTES = 32;
/** Characters of the label that says what a token is for. */
export const MAX_LABEL_LENGTH = 100;

/** A new token: its stored form, and its text, which is shown only once. The prefix helps people and secret scanners. */
export function makeToken(role: Role, label: string, createdAt: number): { stored: StoredToken; token: string } {
  const token = `lb_${role}_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const stored = { id: randomUUID(), role, hash: hashToken(token), createdAt, label };
  return { stored, token };
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}
