import type { SummaryMethod } from '../analysis/summary/summary-document.ts';
import type { Evidence } from '../reductions/cell-aggregate.ts';
import { filterText } from './filter-text.ts';
import { numbersOf } from './language/number-words.ts';
import { translate } from './language/translate.ts';
import { wordsOf } from './language/words.ts';
import { periodText } from './period-words.ts';
import { reportCommandLine } from './report-command-line.ts';
import type { Fact, Section } from './report-document.ts';
import type { ReportRequest } from './report-request.ts';

export interface MethodExtras {
  readonly before?: { readonly from: number; readonly to: number };
  /** Of all requests behind the report; null where the view does not count them. */
  readonly counted?: { readonly samples: number; readonly evidence: Evidence } | null;
  /** How it was counted, sentence by sentence. */
  readonly accounting?: readonly string[];
  /** What it was answered from, beside how exactly: sentences. */
  readonly answeredFrom?: readonly string[];
}

/** How the numbers came about, so that they can be checked and made again. */
export function methodSection(
  method: SummaryMethod,
  request: ReportRequest,
  { before, counted = null, accounting = [], answeredFrom = [] }: MethodExtras = {},
): Section {
  const { language, zone } = request;
  const words = wordsOf(language);
  const { terms } = words;
  const { count, share, fixed } = numbersOf(language);
  const { lastbyte = '', wire = '', settings = 0 } = method.versions;
  const facts: Fact[] = [
    [terms.range, periodText({ from: Date.parse(method.from), to: Date.parse(method.to) }, zone, language)],
    ...(before === undefined ? [] : [[terms.before, periodText(before, zone, language)] as const]),
    [terms.filters, filterText(method.filters) || terms.noFilters],
    ...(counted === null
      ? []
      : [[terms.samples, count(counted.samples)] as const, [terms.leftOut, leftOut(counted)] as const]),
    ...accounting.map((sentence): Fact => [terms.accounting, sentence]),
    [terms.precision, method.exact ? words.exact : words.sketched(`${fixed(method.bound * 100, 2)} %`)],
    ...answeredFrom.map((sentence): Fact => [terms.precision, sentence]),
    ...(method.folded == null ? [] : [[terms.folded, translate(method.rules.at(-1) ?? '', language)] as const]),
    [terms.versions, `Lastbyte ${lastbyte}, wire ${wire}, ${terms.settings} ${settings}`],
    [terms.hash, words.hash(method.dataHash)],
    [terms.command, reportCommandLine(request)],
  ];
  return {
    title: words.method,
    blocks: [
      { kind: 'facts', facts: merged(facts) },
      { kind: 'text', text: `${words.rules}:` },
      { kind: 'points', small: true, points: method.rules.map((rule) => translate(rule, language)) },
    ],
  };

  function leftOut({ samples, evidence }: { samples: number; evidence: Evidence }): string {
    const reasons: [string, number][] = [
      ['cache', evidence.cache],
      ['opaque', evidence.opaque],
      ...Object.entries(evidence.excluded).map(([name, n]): [string, number] => [name, n ?? 0]),
    ];
    const named = reasons.filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (named.length === 0) return terms.nothingLeftOut;
    const left = named.reduce((sum, [, n]) => sum + n, 0);
    return `${count(left)} (${share(left / samples)}): ${named.map(([name, n]) => `${name} ${count(n)}`).join(', ')}`;
  }
}

/** Several sentences under one term read as one text. */
function merged(facts: readonly Fact[]): Fact[] {
  const texts = new Map<string, string>();
  for (const [term, text] of facts) {
    const before = texts.get(term);
    texts.set(term, before === undefined ? text : `${before} ${text}`);
  }
  return [...texts];
}
