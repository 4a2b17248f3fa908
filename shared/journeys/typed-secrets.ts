import { foldSegment } from '../redact/fold-segment.ts';
import { redactText, toLine } from './run-outcome.ts';
import type { VariableValues } from './variables.ts';

/** What a recording has in the place of something typed; also the name of its variable. */
export type SecretKind = 'password' | 'code' | 'card' | 'email' | 'user' | 'date' | 'number' | 'text';

export interface TypedField {
  readonly type: string;
  readonly autocomplete: string;
  /** Its name, id and label, in any form. */
  readonly names: string;
  /** -1 without a limit. */
  readonly maxLength: number;
  /** Now, or before a button showed what was typed. */
  readonly wasPassword: boolean;
}

const PASSWORD = /^(?:pass|passwords?|passwort|passwd|passphrase|pwd|kennwort|secret|geheimnis)$/;
const CODE = /^(?:otp|totp|code|pin|tan|token|mfa|2fa)$/;
const CARD = /^(?:cc|cvc|cvv|csc|iban)$/;
const USER = /^(?:user|username|login|benutzer|benutzername|anmeldename)$/;
/** Shorter values would be found everywhere. */
const MIN_VALUE = 3;
/** Clients, plants and orders have shorter ones than cards and accounts. */
const LONG_NUMBER = /\d(?:[\s-]?\d){10}/;
const SECRET_PARAMETER = /token|code|secret|session|auth|key|nonce|state|ticket|saml|passw|mail|user/i;

/** Why a value may not be recorded; null if it may. Whatever the rules of redaction would change is among it. */
export function secretKind(value: string, field: TypedField): SecretKind | null {
  if (value === '') return null;
  const words = wordsOf(`${field.names} ${field.autocomplete}`);
  const hasWord = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (field.wasPassword || field.type === 'password' || hasWord(PASSWORD)) return 'password';
  // A field for one character is a part of a code.
  if (/one-time-code/.test(field.autocomplete) || field.maxLength === 1) return 'code';
  if (hasWord(CARD) || isCardNumber(value)) return 'card';
  if (hasWord(CODE) && /^\d{4,8}$/.test(value.replace(/[\s-]/g, ''))) return 'code';
  if (/\S@\S/.test(value)) return 'email';
  if (hasWord(USER)) return 'user';
  // Braces would be read as a variable.
  if (isPlain(value) && !value.includes('{{')) return null;
  if (/date|time|month|week/.test(field.type)) return 'date';
  return /^[\d\s.,:/+-]*$/.test(value) ? 'number' : 'text';
}

/** Of any spelling: `newPassword`, `new-password`, `New password`. */
function wordsOf(names: string): string[] {
  return names
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
function isCardNumber(value: string): boolean {
  const digits = value.replace(/[\s-]/g, '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const each = Number(digit) * (1 + (index % 2));
    return total + (each > 9 ? each - 9 : each);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a text of the page may be recorded: it has nothing that was typed in secret, and nothing that looks like data. */
export function isPlain(text: string, secrets: VariableValues = {}): boolean {
  return redactText(text, secrets) === toLine(text).normalize('NFC');
}

interface Address {
  readonly origin: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/**
 * The address of a page as a recording may open it. Its path keeps numbers and names, on which the page depends, and has placeholders
 * for secrets; parameters and fragments stay only if they are numbers or words.
 */
export function cleanAddress({ origin, pathname, search, hash }: Address, secrets: VariableValues): string {
  const isOpen = (text: string) => !holdsSecret(text, secrets) && !LONG_NUMBER.test(text);
  const cleanPart = (part: string) => {
    const text = decoded(part);
    const folded = foldSegment(text);
    return isOpen(text) && !/\{(?:token|hash|email)\}/.test(folded) ? part : folded === text ? '{text}' : folded;
  };
  const isWord = (part: string) => {
    const text = decoded(part);
    return isOpen(text) && (/^\d*$/.test(text) || (isPlain(text) && foldSegment(text) === text));
  };
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair.split('=').every(isWord) && !SECRET_PARAMETER.test(pair));
  const query = kept.join('&');
  const fragment = hash.split(/[#/!?&=]/).every(isWord) && !SECRET_PARAMETER.test(hash) ? hash : '';
  return origin + pathname.split('/').map(cleanPart).join('/') + (query === '' ? '' : `?${query}`) + fragment;
}

export function holdsSecret(text: string, secrets: VariableValues): boolean {
  const plain = decoded(text).toLowerCase();
  return Object.values(secrets).some((value) => value.length >= MIN_VALUE && plain.includes(value.toLowerCase()));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
