import type { EvidenceDocument } from '../../analysis/documents/answers.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import { written } from '../computations.ts';
import { type Asker, prepare } from './asker.ts';
import type { parseEvidenceQuery } from './parse-questions.ts';

/** What stands behind the numbers, and whom to ask for more. Throws a StoreError. */
export async function runEvidence(
  asker: Asker,
  query: ReturnType<typeof parseEvidenceQuery>,
): Promise<JsonBytes<EvidenceDocument>> {
  const { range, rule, method } = await prepare(asker, query.range);
  const answered = { ...query, range };
  const { settings } = await currentSettings(asker.store.settings);
  const matches = new Map(settings.targets.map(({ id, match }) => [id, match]));
  const { head, rest } = await asker.store.samples.read(written('evidence'), { ...answered, ...rule, matches }, asker);
  return joinJson(writeJson({ method: method(answered, head) }), rest);
}
