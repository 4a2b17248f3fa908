import type { Sample } from '../../../shared/sample/sample.ts';
import { LOAD_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import type { LoadedRequest } from '../../analysis/load/loaded-request.ts';
import { requestSample } from '../request-sample.ts';
import type { LoadRun } from './run-load.ts';

/** The drawn requests of a load as samples, which every view takes. */
export function loadSamples(run: LoadRun, urls: Readonly<Record<'http' | 'https', string>>, target: string): Sample[] {
  return run.drawn.flatMap((request) => toSample(request, run.timeOrigin, urls, target) ?? []);
}

function toSample(
  { scenario, startedAt, endedAt, sentAt, firstByteAt, connection, status, error, bytes }: LoadedRequest,
  origin: number,
  urls: Readonly<Record<'http' | 'https', string>>,
  target: string,
): Sample | null {
  const scheme = scenario.startsWith('https') ? 'https' : 'http';
  const epoch = (moment: number | null | undefined) => (moment == null ? 0 : origin + moment);
  const sample = requestSample(
    {
      url: urls[scheme],
      isDocument: false,
      initiatorType: 'fetch',
      status,
      error: error === null ? null : error.toUpperCase(),
      opened: connection !== null,
      cached: false,
      bytes,
      startedAt: epoch(startedAt),
      finishedAt: epoch(endedAt),
      id: '',
      holds: true,
      byScript: true,
      address: urls[scheme],
      stamps:
        sentAt === null || firstByteAt === null
          ? null
          : {
              domainLookupStart: 0,
              domainLookupEnd: 0,
              connectStart: epoch(connection?.startedAt),
              secureConnectionStart: epoch(connection?.securedAt === null ? null : connection?.connectedAt),
              connectEnd: epoch(connection?.securedAt ?? connection?.connectedAt),
              requestStart: epoch(sentAt),
              responseStart: epoch(firstByteAt),
              protocol: '',
              contentType: '',
            },
    },
    { target, source: LOAD_SOURCE },
  );
  const handshake = connection?.handshake ?? null;
  return sample && (handshake === null ? sample : { ...sample, handshake, handshakeEvidence: 'probe' });
}
