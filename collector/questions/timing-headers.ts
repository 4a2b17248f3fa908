/** An origin that a match pattern names without a wildcard. */
const PLAIN_ORIGIN = /^(https?:\/\/[^/*]+)\//;
const ANY = 'Timing-Allow-Origin: *';

/**
 * The response header with which a host shows its times to the pages of a target, one line for each origin of theirs: a
 * server answers with the one that asks (https://www.w3.org/TR/resource-timing/#sec-timing-allow-origin). Where a match
 * pattern leaves the origin open, only `*` is sure to do.
 */
export function timingHeaders(match: readonly string[]): string[] {
  const origins = match.map((pattern) => PLAIN_ORIGIN.exec(pattern)?.[1]);
  if (origins.length === 0 || origins.includes(undefined)) return [ANY];
  return [...new Set(origins)].map((origin) => `Timing-Allow-Origin: ${origin}`);
}
