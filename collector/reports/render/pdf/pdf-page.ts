import PDFDocument from 'pdfkit';
import { visibleText } from '../../../analysis/text/visible-text.ts';
import { fullTitle, type Report } from '../../document/report-document.ts';
import { wrapText } from '../wrap-text.ts';
import { type FontName, fontFile } from './pdf-fonts.ts';

/** A4 in points, and its margins. */
export const PAGE = { width: 595.28, height: 841.89, left: 42, right: 42, top: 54, bottom: 52 } as const;
export const CONTENT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
/** What the title and period above each further page take. */
const HEAD = 12;
const LEADING = 1.32;

type Structure = ReturnType<PDFKit.PDFDocument['struct']>;

export interface TextStyle {
  readonly size: number;
  readonly font?: FontName;
  readonly colour?: string;
}

/** A document written from top to bottom: it tracks its position and starts a page when something does not fit. */
export interface PdfPage {
  readonly pdf: PDFKit.PDFDocument;
  /** Where the next line goes, points from the top. */
  y: number;
  /** Starts a page unless this much space is left. */
  ensure(height: number): void;
  newPage(): void;
  space(height: number): void;
  measure(text: string, style: TextStyle): number;
  lineHeight(style: TextStyle): number;
  /** One line at a position; leaves `y` unchanged. */
  line(text: string, x: number, y: number, style: TextStyle, align?: { right: number }): void;
  /** An element of the structure tree that screen readers follow. */
  element(type: string, draw: () => void, parent?: Structure, options?: { alt?: string }): void;
  group(type: string, parent?: Structure): Structure;
}

export function createPage(report: Pick<Report, 'title' | 'subtitle' | 'language' | 'dated'>): PdfPage {
  const date = new Date(report.dated);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    lang: report.language,
    // No font at first: one that is already registered under another name would be opened again for every line.
    font: '',
    // Including the time of writing would make the bytes of identical reports differ.
    info: { Title: fullTitle(report), Producer: 'Lastbyte', Creator: 'Lastbyte', CreationDate: date, ModDate: date },
  });
  pdf.registerFont('regular', fontFile('regular'));
  pdf.registerFont('bold', fontFile('bold'));
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const widths = new Map<string, number>();

  const page: PdfPage = {
    pdf,
    // Without the running head of the other pages.
    y: PAGE.top - HEAD,
    ensure(height) {
      if (page.y + height > PAGE.height - PAGE.bottom) page.newPage();
    },
    newPage() {
      pdf.addPage();
      page.y = PAGE.top;
    },
    space(height) {
      page.y += height;
    },
    measure(text, { size, font = 'regular' }) {
      const id = `${font} ${text}`;
      let width = widths.get(id);
      if (width === undefined) {
        width = pdf.font(font).fontSize(1).widthOfString(text);
        widths.set(id, width);
      }
      return width * size;
    },
    lineHeight: ({ size }) => size * LEADING,
    line(text, x, y, style, align) {
      const { size, font = 'regular', colour = '#161b22' } = style;
      const at = align === undefined ? x : align.right - page.measure(text, style);
      pdf.font(font).fontSize(size).fillColor(colour).text(visibleText(text), at, y, { lineBreak: false });
    },
    element(type, draw, parent = root, options = {}) {
      parent.add(pdf.struct(type, options, draw));
    },
    group(type, parent = root) {
      const made = pdf.struct(type);
      parent.add(made);
      return made;
    },
  };
  return page;
}

export const STYLES = {
  title: { size: 20, font: 'bold' },
  heading: { size: 12.5, font: 'bold' },
  caption: { size: 9.5, font: 'bold' },
  text: { size: 9.5 },
  /** Below the title of a point. */
  detail: { size: 8.6 },
  note: { size: 7.5, colour: '#505a66' },
} as const satisfies Record<string, TextStyle>;

/** A paragraph, kept on one page unless it is longer than a page. */
export function writeText(
  page: PdfPage,
  type: string,
  text: string,
  style: TextStyle,
  { indent = 0, mark = '', after = 4, keep = 0 } = {},
): void {
  const lines = wrapText(text, CONTENT_WIDTH - indent, (part) => page.measure(part, style));
  const height = page.lineHeight(style);
  const available = PAGE.height - PAGE.bottom - PAGE.top;
  page.ensure(Math.min(available, lines.length * height + keep));
  let rest = lines;
  let first = true;
  while (rest.length > 0) {
    const fits = Math.max(1, Math.floor((PAGE.height - PAGE.bottom - page.y) / height + 1e-6));
    const now = rest.slice(0, fits);
    page.element(type, () => {
      if (first && mark !== '') page.line(mark, PAGE.left, page.y, style);
      first = false;
      for (const line of now) {
        page.line(line, PAGE.left + indent, page.y, style);
        page.y += height;
      }
    });
    rest = rest.slice(fits);
    if (rest.length > 0) page.newPage();
  }
  page.space(after);
}
