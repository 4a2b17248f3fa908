/** `har`, or `har-LABEL`: samples of a recording that an admin brought in. They are no user's of today. */
export function isImported(source: string): boolean {
  return source === 'har' || source.startsWith('har-');
}

/** `probe-SCENARIO`: made on purpose. */
export function isProbe(source: string): boolean {
  return source.startsWith('probe-');
}
