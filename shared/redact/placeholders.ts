/** What stands in a template for what was folded. Everything else in a template was written by a programmer. */
export const PLACEHOLDERS = [
  /** Digits, dates, versions. */
  '{n}',
  '{uuid}',
  /** Hexadecimal. */
  '{hash}',
  /** Long or mixed letters and digits. */
  '{token}',
  /** What stood between parentheses: SAP's mangled session data, an OData key. */
  '{key}',
  '{email}',
  /** Anything else that is not plainly a word: spaces, `name=value`, broken escapes. */
  '{text}',
  /** The end of a path that is too long. */
  '{rest}',
] as const;

export const PLACEHOLDER_PATTERN = /\{(?:n|uuid|hash|token|key|email|text|rest)\}/;
