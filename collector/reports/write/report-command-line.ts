import type { Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { ReportRequest } from '../document/report-request.ts';
import { type Accounting, DEFAULT_ACCOUNTING, outlierText } from '../document/report-request.ts';

/** The command that reproduces a report, with the times of the answer; only options that differ from the default. */
export function reportCommandLine(request: ReportRequest): string {
  const words = ['lastbyte', 'report', '--view', request.view, ...viewWords(request)];
  if (request.language !== 'en') words.push('--lang', request.language);
  if (request.zone !== 'UTC') words.push('--zone', request.zone);
  return [...words, '--format', request.format].map(quoted).join(' ');
}

function viewWords(request: ReportRequest): string[] {
  switch (request.view) {
    case 'compare': {
      const { before, after, by, time } = request.query;
      return [
        ...rangeWords(after.range),
        ...rangeWords(before.range, 'before-'),
        ...(by.length === 0 ? [] : ['--by', by.join(',')]),
        ...(time === 'ttlb' ? [] : ['--time', time]),
        ...sideWords(before.filters, after.filters),
      ];
    }
    case 'summary': {
      const { range, by, filters, exact } = request.query;
      return [...rangeWords(range), '--by', by.join(','), ...filterWords(filters), ...(exact ? ['--exact'] : [])];
    }
    case 'monthly': {
      const { range, before, filters, exact, accounting } = request.query;
      return [
        ...rangeWords(range),
        ...rangeWords(before, 'before-'),
        ...filterWords(filters),
        ...(exact ? ['--exact'] : []),
        ...accountingWords(accounting),
      ];
    }
    default:
      return [...rangeWords(request.query.range), ...filterWords(request.query.filters)];
  }
}

function rangeWords({ from, to }: TimeRange, prefix = ''): string[] {
  return [`--${prefix}from`, new Date(from).toISOString(), `--${prefix}to`, new Date(to).toISOString()];
}

function filterWords(filters: Filters, prefix = ''): string[] {
  return Object.entries(filters).flatMap(([name, values]) =>
    (values ?? []).flatMap((value) => ['--filter', `${prefix}${name}=${value}`]),
  );
}

/** Filters that both sides share are given once, the others for each side. */
function sideWords(before: Filters, after: Filters): string[] {
  const shared = Object.fromEntries(
    Object.entries(before).filter(
      ([name, values]) => JSON.stringify(values) === JSON.stringify(after[name as keyof Filters]),
    ),
  ) as Filters;
  const own = (side: Filters) =>
    Object.fromEntries(Object.entries(side).filter(([name]) => !Object.hasOwn(shared, name)));
  return [...filterWords(shared), ...filterWords(own(before), 'before.'), ...filterWords(own(after), 'after.')];
}

function accountingWords({ first, per, hours, outliers, minN }: Accounting): string[] {
  return [
    ...(first === DEFAULT_ACCOUNTING.first ? [] : ['--first', first]),
    ...(per === DEFAULT_ACCOUNTING.per ? [] : ['--per', per]),
    ...(hours === null ? [] : ['--business-hours', hours.text]),
    ...(outliers.rule === 'none' ? [] : ['--outliers', outlierText(outliers)]),
    ...(minN === DEFAULT_ACCOUNTING.minN ? [] : ['--min-n', String(minN)]),
  ];
}

/** Quoted for a shell, since names come from other people's pages. */
function quoted(word: string): string {
  return /^[\w./:=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
