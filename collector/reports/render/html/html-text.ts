import { visibleText } from '../../../analysis/text/visible-text.ts';

const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that HTML reads as text, in an element and in an attribute; control signs and turned writing are made visible. */
export function htmlText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign);
}
