import { readJson } from '../storage/json-bytes.ts';
import { compareReport } from './compare-report.ts';
import type { ReportSource } from './gather-report.ts';
import { monthlyReport } from './monthly/monthly-report.ts';
import type { Report } from './report-document.ts';
import { summaryReport } from './summary-report.ts';
import { viewReport } from './view-report.ts';

/** The report in its reader's language. Large ones take a while: a server does it in a thread. */
export function writeReport(source: ReportSource): Report {
  switch (source.view) {
    case 'summary':
      return summaryReport(readJson(source.document), source.request);
    case 'compare':
      return compareReport(readJson(source.document), source.request);
    case 'monthly':
      return monthlyReport({ query: source.request.query, ...readJson(source.document) }, source.request);
    default:
      return viewReport(readJson(source.document), source.request);
  }
}
