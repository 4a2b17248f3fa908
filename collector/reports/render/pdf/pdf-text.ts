import { wrapText } from '../wrap-text.ts';
import { PAGE, type PdfPage, ROOM, type TextStyle } from './pdf-page.ts';

export const STYLES = {
  title: { size: 20, font: 'bold' },
  heading: { size: 13.5, font: 'bold' },
  caption: { size: 9.5, font: 'bold' },
  text: { size: 9.5 },
  note: { size: 7.5, colour: '#505a66' },
} as const satisfies Record<string, TextStyle>;

/** A paragraph, whole on one page unless it is longer than one. */
export function writeText(
  page: PdfPage,
  type: string,
  text: string,
  style: TextStyle,
  { indent = 0, mark = '', after = 4, keep = 0 } = {},
): void {
  const lines = wrapText(text, ROOM - indent, (part) => page.measure(part, style));
  const height = page.lineHeight(style);
  const room = PAGE.height - PAGE.bottom - PAGE.top;
  page.ensure(Math.min(room, lines.length * height + keep));
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
