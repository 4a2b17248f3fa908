import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import type { ProbesDocument } from '../../analysis/documents/answers.ts';
import { stepThresholds } from '../../analysis/probes/step-thresholds.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import { written } from '../computations.ts';
import { type Asker, prepare } from './asker.ts';
import type { parseViewQuery } from './parse-questions.ts';

/** The view of probes, and ladder by ladder what was measured beside users' traffic. Throws a StoreError. */
export async function runProbes(
  asker: Asker,
  query: ReturnType<typeof parseViewQuery>,
): Promise<JsonBytes<ProbesDocument>> {
  const { store, language = 'en' } = asker;
  const { filters } = query;
  const { range, rule, method } = await prepare(asker, query.range);
  const { settings } = await currentSettings(store.settings);
  const [hosts, thresholds] = [ladderHosts(settings), stepThresholds(settings.probes)];
  const { head, rest } = await store.samples.read(
    written('probes'),
    { range, filters, hosts, thresholds, language, ...rule },
    asker,
  );
  return joinJson(writeJson({ method: method({ range, filters }, head) }), rest);
}

/** Host of each ladder by the probe's id, as far as the settings still hold it. */
function ladderHosts({ probes }: Settings): Record<string, string> {
  return Object.fromEntries(
    (probes?.schedule ?? []).flatMap(({ id, url }) => {
      const host = parseHttpUrl(url ?? '')?.hostname;
      return host === undefined ? [] : [[id, host]];
    }),
  );
}
