import type { BatchBody } from '../../collector/ingest/body-group.ts';
import type { BodyOutcome } from '../../collector/ingest/ingest-bodies.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { parseBody } from '../../collector/ingest/parse-body.ts';
import type { Store } from '../../collector/storage/store.ts';

/** Stores bodies as the route does, in one thread: large ones are read first. */
export async function takeBodies({ samples }: Store, bodies: readonly BatchBody[]): Promise<readonly BodyOutcome[]> {
  const outcomes: BodyOutcome[] = [];
  for (const [place, outcome] of (await createIngestBodies(samples)(bodies)).entries()) {
    outcomes.push(outcome ?? (await takeParsed(samples, bodies[place] as BatchBody)));
  }
  return outcomes;
}

async function takeParsed(
  samples: Store['samples'],
  { bytes, isBinary = false, receivedAt, key }: BatchBody,
): Promise<BodyOutcome> {
  const parsed = parseBody(Buffer.from(bytes), isBinary, receivedAt);
  if (!parsed.ok) return parsed;
  const [stored] = await createIngestBodies(samples)([{ bytes: new Uint8Array(0), receivedAt, key, parsed }]);
  if (!stored) throw new Error('a parsed batch was not taken');
  return stored;
}
