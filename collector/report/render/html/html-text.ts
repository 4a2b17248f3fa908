const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that HTML reads as text, in an element and in an attribute; control signs and turned writing are made visible. */
export function htmlText(text: string): string {
  return text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign);
}
