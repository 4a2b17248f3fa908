import type { FORMATS, REPORT_VIEWS } from '../../../shared/settings/report-choices.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import type { ChartSpec } from '../../charts/chart-spec.ts';

export type ReportView = (typeof REPORT_VIEWS)[number];
export type Format = (typeof FORMATS)[number];

/** One report, in its reader's language and before any format: every renderer draws this and nothing else. */
export interface Report {
  readonly view: ReportView;
  readonly language: Language;
  readonly title: string;
  /** Range and filters in words. */
  readonly subtitle: string;
  /** RFC 3339; null where the reader did not ask for the stamp, so that the same data give the same bytes. */
  readonly madeAt: string | null;
  /** Epoch ms of the end of the range: the date that a file carries within, so that it does not change by itself. */
  readonly dated: number;
  readonly sections: readonly Section[];
  /** What the format json prints: the numbers themselves, unrounded. */
  readonly data: object;
}

export interface Section {
  readonly title: string;
  /** Begins on a page of its own where there are pages. */
  readonly newPage?: boolean;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'points'; readonly points: readonly string[]; readonly small?: boolean }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | TableBlock
  | ChartBlock;

export interface TableBlock {
  readonly kind: 'table';
  readonly table: TableDocument;
  /** Rows shown where a person reads; the data formats hold all of them. */
  readonly shown?: number;
}

export interface ChartBlock {
  readonly kind: 'chart';
  readonly title: string;
  /** What the picture shows, for whoever cannot see it. */
  readonly description: string;
  readonly chart: ChartSpec;
}

/** One large number of the management's page. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

export type Fact = readonly [term: string, text: string];
