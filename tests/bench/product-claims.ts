import type { VerdictWord } from '../../collector/analysis/summary/summary-document.ts';
import { headlineCell } from '../../collector/dashboard/model/headline.ts';
import { readJson } from '../../collector/lib/json-bytes.ts';
import { VERSION } from '../../collector/lib/version.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import type { Fix } from '../../collector/reports/document/monthly-document.ts';
import { gatherReport } from '../../collector/reports/gather-report.ts';
import { parseReport } from '../../collector/reports/parse-report.ts';
import { fixesOf } from '../../collector/reports/write/fixes.ts';
import type { Store } from '../../collector/storage/store.ts';

/** What the product says is the matter, as far as it says so. A place that it doesn't name is absent. */
export interface Claim {
  readonly about: Exclude<VerdictWord, 'unknown'> | Fix['kind'] | 'change';
  /** What the slowest requests wait for. */
  readonly phase?: string;
  readonly host?: string;
  readonly type?: string;
  readonly template?: string;
  readonly site?: string;
  readonly browser?: number;
  /** In which it happens every day. */
  readonly hour?: number;
  /** Day of the fleet from which something differs. */
  readonly day?: number;
}

/** As many as the first page of a report names. */
const NAMED_FIXES = 3;

/**
 * What somebody reads on the overview and on the report's first page for that range, best first: the verdict of the headline,
 * then the fixes. The only place of the bench that knows how the product puts its findings.
 */
export async function productClaims(store: Store, range: { from: number; to: number }): Promise<Claim[]> {
  const request = parseReport(
    { view: 'monthly', from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() },
    range.to,
  );
  const context = { store, version: VERSION, viewer: SEES_EVERYTHING, clock: () => range.to };
  const source = await gatherReport(context, request, range.to);
  if (source.view !== 'monthly') throw new Error('This is not the monthly report.');
  const { cells } = readJson(source.document);
  const headline = headlineCell(cells);
  const verdict = headline?.verdict.verdict ?? 'unknown';
  const ofFixes = fixesOf(cells, source.request.query.accounting.minN)
    .slice(0, NAMED_FIXES)
    .map(({ kind, host, type, tailPhase }): Claim => {
      return { about: kind, host, type, ...(tailPhase === null ? {} : { phase: tailPhase }) };
    });
  if (headline === null || verdict === 'unknown') return ofFixes;
  const first: Claim = { about: verdict, ...placeOf(headline) };
  // Often the first fix says the same once more.
  const isFirst = ({ about, host, type }: Claim) => about === first.about && host === first.host && type === first.type;
  return [first, ...ofFixes.filter((claim) => !isFirst(claim))];
}

function placeOf({ host, type }: { readonly host?: string | null; readonly type?: string | null }): Partial<Claim> {
  return { ...(host ? { host } : {}), ...(type ? { type } : {}) };
}
