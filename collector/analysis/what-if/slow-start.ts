/** Ten segments (RFC 6928). */
const FIRST_WINDOW_BYTES = 14_600;

/**
 * How much longer at most a response takes on a new connection than on one that has sent as much before, ms: the window
 * doubles with each round trip (RFC 5681). Whether an idle connection keeps its window depends on the server (RFC 2861).
 */
export function slowStartMs(bytes: number, roundTripMs: number): number {
  if (!(bytes > 0) || !(roundTripMs > 0)) return 0;
  return roundTripMs * (Math.ceil(Math.log2(bytes / FIRST_WINDOW_BYTES + 1)) - 1);
}
