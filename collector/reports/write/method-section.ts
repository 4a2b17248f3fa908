import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { Evidence } from '../../reductions/cell-aggregate.ts';
import type { Fact, Report, Section } from '../document/report-document.ts';
import type { ReportRequest } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { filterText, periodText } from '../language/period-text.ts';
import { reportCommandLine } from './report-command-line.ts';

/** What a view contributes to its report, with what the method section needs. */
export interface Written extends Pick<Report, 'title' | 'subtitle' | 'dated' | 'data'> {
  /** None if nothing was measured. */
  readonly sections: readonly Section[];
  readonly notes?: readonly string[];
  readonly method: SummaryMethod;
  readonly before?: { readonly from: number; readonly to: number };
  /** Counts over all requests of the report; null if the view does not count them. */
  readonly counted?: { readonly samples: number; readonly evidence: Evidence } | null;
  /** How it was counted, sentence by sentence. */
  readonly accounting?: readonly string[];
  /** What the numbers were read from, in sentences; their precision is always stated. */
  readonly answeredFrom?: readonly string[];
}

/** How the numbers were computed, so that they can be checked and reproduced. */
export function methodSection(
  { method, before, counted = null, accounting = [], answeredFrom = [] }: Written,
  request: ReportRequest,
  texts: ReportTexts,
  apps: NamesOfApps,
): Section {
  const { zone } = request;
  const { method: words } = texts;
  const { count, share, fixed } = texts.numbers;
  const { lastbyte = '', wire = '', settings = 0 } = method.versions;
  const precision = method.exact ? words.exact : words.sketched(`${fixed(method.bound * 100, 2)} %`);
  const facts: Fact[] = [
    [words.range, periodText({ from: Date.parse(method.from), to: Date.parse(method.to) }, zone, texts)],
    ...(before === undefined ? [] : [[words.before, periodText(before, zone, texts)] as const]),
    [words.filters, filterText(method.filters, texts, apps) || words.noFilters],
    ...(counted === null
      ? []
      : [[words.samples, count(counted.samples)] as const, [words.leftOut, leftOut(counted)] as const]),
    ...(accounting.length === 0 ? [] : [[words.accounting, accounting.join(' ')] as const]),
    [words.precision, [precision, ...answeredFrom].join(' ')],
    ...(method.folded == null ? [] : [[words.folded, `${texts.folded(method.folded)}.`] as const]),
    [words.versions, words.madeBy(lastbyte, wire, settings)],
    [words.data, words.hash(method.dataHash)],
    [words.command, reportCommandLine(request)],
  ];
  return {
    title: texts.sections.method,
    blocks: [
      { kind: 'facts', facts },
      { kind: 'text', text: words.rules },
      { kind: 'points', small: true, points: method.rules },
    ],
  };

  function leftOut({ samples, evidence }: { samples: number; evidence: Evidence }): string {
    const reasons: [string, number][] = [
      [texts.connections.cache, evidence.cache],
      [texts.connections.opaque, evidence.opaque],
      ...Object.entries(evidence.excluded).map(([name, n]): [string, number] => [
        wordFor(texts.exclusions, name),
        n ?? 0,
      ]),
    ];
    const named = reasons.filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (named.length === 0) return words.nothingLeftOut;
    const left = named.reduce((sum, [, n]) => sum + n, 0);
    return `${count(left)} (${share(left / samples)}): ${named.map(([name, n]) => `${name} (${count(n)})`).join(', ')}`;
  }
}
