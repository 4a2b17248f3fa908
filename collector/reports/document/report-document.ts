import type { FORMATS, REPORT_VIEWS } from '../../../shared/settings/report-choices.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import type { ChartSpec } from '../../charts/chart-spec.ts';

export type ReportView = (typeof REPORT_VIEWS)[number];
export type Format = (typeof FORMATS)[number];

/** One report in its reader's language, independent of the format: the only input of every renderer. */
export interface Report {
  readonly view: ReportView;
  readonly language: Language;
  readonly title: string;
  /** Range and filters in words. */
  readonly subtitle: string;
  /** RFC 3339; null unless requested, so that the same data give the same bytes. */
  readonly madeAt: string | null;
  /** Epoch ms of the end of the range: the date in the file, so that its bytes do not depend on when it was made. */
  readonly dated: number;
  readonly sections: readonly Section[];
  /** What the json format prints: the numbers themselves, unrounded. */
  readonly data: object;
}

export interface Section {
  readonly title: string;
  /** Begins a new page in formats with pages. */
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
  /** Rows shown to readers; the data formats have all of them. */
  readonly shown?: number;
}

export interface ChartBlock {
  readonly kind: 'chart';
  readonly title: string;
  /** Alternative text of the picture. */
  readonly description: string;
  readonly chart: ChartSpec;
}

/** One large number on the management page. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

export type Fact = readonly [term: string, text: string];
