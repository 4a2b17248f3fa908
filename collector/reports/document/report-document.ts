import type { FORMATS, REPORT_VIEWS } from '../../../shared/settings/report-choices.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import type { ChartSpec } from '../../charts/chart-spec.ts';

export type ReportView = (typeof REPORT_VIEWS)[number];
export type Format = (typeof FORMATS)[number];

/** One report in its reader's language, independent of the format: the only input of every renderer. */
export interface Report {
  readonly view: ReportView | 'load';
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
  /** null for what opens a report. */
  readonly title: string | null;
  /** Begins a new page in formats with pages. */
  readonly newPage?: boolean;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'points'; readonly points: readonly (string | Point)[]; readonly small?: boolean }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | TableBlock
  | ChartBlock;

export interface TableBlock {
  readonly kind: 'table';
  readonly table: TableDocument;
  /** Rows shown to readers; the data formats have all of them. */
  readonly shown?: number;
  /** Columns of shares that readers see as a bar, before the text of the last other column; CSV has the columns. */
  readonly bar?: readonly BarPart[];
}

export interface BarPart {
  /** Its column. */
  readonly name: string;
  readonly label: string;
  /** `var(--phase-wait)`: a colour of the charts. */
  readonly colour: string;
}

export interface ChartBlock {
  readonly kind: 'chart';
  readonly title: string;
  /** Alternative text of the picture. */
  readonly description: string;
  readonly chart: ChartSpec;
}

/** A numbered point whose first sentence stands out. */
export interface Point {
  readonly title: string;
  readonly text: string;
}

export type Fact = readonly [term: string, text: string];

/** The period: the first sentence of the subtitle, whose filters may be of any length. */
export function firstSentence(subtitle: string): string {
  return subtitle.split('. ')[0] ?? '';
}

/** What names a report on its own: in a tab, in the subject of a mail. */
export function fullTitle({ title, subtitle }: Pick<Report, 'title' | 'subtitle'>): string {
  return `${title}, ${firstSentence(subtitle)}`;
}
