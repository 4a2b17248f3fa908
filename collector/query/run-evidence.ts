import type { EvidenceDocument } from '../../shared/summary/answers.ts';
import { currentSettings } from '../store/current-settings.ts';
import { type Asker, prepare } from './asker.ts';
import type { parseEvidenceQuery } from './parse-questions.ts';
import { timingHeaders } from './timing-headers.ts';

/** What stands behind the numbers, and whom to ask for more. Throws a StoreError. */
export async function runEvidence(
  asker: Asker,
  query: ReturnType<typeof parseEvidenceQuery>,
): Promise<EvidenceDocument> {
  const { range, rule, method } = await prepare(asker, query.range);
  const answered = { ...query, range };
  const { settings } = await currentSettings(asker.store.settings);
  const { cells, opaque, cache, fleet, missing, ...answer } = await asker.store.samples.compute(
    'evidence',
    { ...answered, ...rule },
    asker,
  );
  const patterns = new Map(settings.targets.map(({ id, match }) => [id, match]));
  return {
    method: method(answered, answer),
    cells,
    cache,
    askForTiming: opaque.map((one) => ({ ...one, headers: timingHeaders(patterns.get(one.target) ?? []) })),
    fleet,
    missing,
  };
}
