/** What a load repeats. Those of HTTPS differ in what a request pays for: nothing, a resumed handshake, a full one. */
export const LOAD_SCENARIOS = [
  'http-reused',
  'http-new',
  'https-reused',
  'https-new-resumed',
  'https-new-full',
] as const;
export type LoadScenario = (typeof LOAD_SCENARIOS)[number];

/** One request of a virtual user. Moments are ms of one clock that only goes forward. */
export interface LoadedRequest {
  readonly scenario: LoadScenario;
  /** When it should have begun: earlier than `startedAt` where no user was free. */
  readonly intendedAt: number;
  readonly startedAt: number;
  /** The connection that was opened for it; null if one was there. */
  readonly connection: {
    readonly startedAt: number;
    readonly connectedAt: number;
    /** null on plain HTTP. */
    readonly securedAt: number | null;
    /** What the client's socket says; null on plain HTTP. */
    readonly handshake: 'full' | 'resumed' | null;
    /** Protocol, cipher and group; null on plain HTTP. */
    readonly tls: string | null;
  } | null;
  /** null if it never was sent. */
  readonly sentAt: number | null;
  readonly firstByteAt: number | null;
  readonly endedAt: number;
  readonly status: number | null;
  /** Body size. */
  readonly bytes: number;
  /** Code of what went wrong; null if there was a whole response. */
  readonly error: string | null;
}

/** Whether it was what its scenario says, which its own socket proves. The first one of a user never is, except a new full one. */
export function isProven({ scenario, connection }: LoadedRequest): boolean {
  if (scenario.endsWith('reused')) return connection === null;
  const handshake = scenario.startsWith('https') ? (scenario.endsWith('full') ? 'full' : 'resumed') : null;
  return connection?.handshake === handshake && connection !== null;
}
