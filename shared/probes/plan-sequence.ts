import type { ProbeMethod, UnavailableReason } from '../vocabulary/probe-words.ts';
import type { BrowserEngine, Scenario } from '../vocabulary/vocabulary.ts';
import type { SequenceRequest } from './sequence-request.ts';

export interface PlannedScenario {
  readonly scenario: Scenario;
  readonly url: string;
  readonly method: ProbeMethod | null;
  readonly unavailable: UnavailableReason | null;
}

/** What the warm-up found about one scheme. */
export interface SchemeFinding {
  /** ALPN id; null if hidden. */
  readonly protocol: string | null;
  /** Why nothing can be measured there; null if it can. */
  readonly unavailable: UnavailableReason | null;
}

export type SchemeFindings = Readonly<Record<'http' | 'https', SchemeFinding>>;

/**
 * The scenarios in the order of one round, each with the method that makes it here. For each scheme a new connection comes
 * before the reused one, which then uses the connection left open.
 */
export function planSequence(
  request: SequenceRequest,
  engine: BrowserEngine,
  found: SchemeFindings,
): PlannedScenario[] {
  return (['http', 'https'] as const).flatMap((scheme) => {
    const url = requestUrl(request, scheme);
    const { protocol, unavailable } = found[scheme];
    const method = newMethod(request, engine, scheme === 'http' ? 'http/1.1' : protocol);
    return [
      planned(`${scheme}-new`, url, method, unavailable ?? (method === null ? 'no_method_for_protocol' : null)),
      planned(`${scheme}-reused`, url, 'keep_alive', unavailable),
    ];
  });
}

export function requestUrl({ url, otherUrl }: SequenceRequest, scheme: 'http' | 'https'): string {
  return url.startsWith(`${scheme}:`) ? url : (otherUrl ?? '');
}

/** https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2: `Connection` has no meaning in HTTP/2. */
function newMethod(
  { wildcard, idleWaitMs }: SequenceRequest,
  engine: BrowserEngine,
  protocol: string | null,
): ProbeMethod | null {
  if (protocol === null || protocol.startsWith('http/1')) return 'close_header';
  if (engine === 'chromium') return 'credentialless_frame';
  if (wildcard) return 'fresh_subdomain';
  return idleWaitMs === null ? null : 'idle_wait';
}

function planned(
  scenario: Scenario,
  url: string,
  method: ProbeMethod | null,
  unavailable: UnavailableReason | null,
): PlannedScenario {
  return { scenario, url, method: unavailable === null ? method : null, unavailable };
}
