import type { SequenceRequest } from '../../shared/probes/sequence-request.ts';
import { ENGINE } from '../build-constants.ts';
import { platform } from '../platform.ts';
import { browserEdges } from './browser-edges.ts';
import { runSequence } from './run-sequence.ts';

/** What `lastbyte probe` puts into the package it makes for one run. */
interface PackagedProbe {
  /** Where the result is to be posted: the command itself, on loopback. */
  readonly answerTo: string;
  readonly request: SequenceRequest;
}

const FILE = 'probe-now.json';

/**
 * Runs the ladder of the package, if it holds one, and hands the result back. Only who makes the package can ask for it:
 * no page and no message can.
 */
export async function runPackagedProbe(): Promise<void> {
  const packaged = await fetch(platform.runtime.getURL(FILE)).then(
    (response) => response.json() as Promise<PackagedProbe>,
    () => null, // no probe in this package
  );
  if (packaged === null) return;
  const { answerTo, request } = packaged;
  let round = 0;
  const told = async () => {
    await post(answerTo, { round: round++ });
    return true;
  };
  const result = await runSequence(request, browserEdges(ENGINE), told).catch((error) => ({ error: String(error) }));
  await post(answerTo, result);
}

async function post(url: string, result: unknown): Promise<void> {
  await fetch(url, { method: 'POST', body: JSON.stringify(result), credentials: 'omit' });
}
