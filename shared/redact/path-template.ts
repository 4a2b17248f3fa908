import { foldSegment } from './fold-segment.ts';
import { isSapName } from './sap-names.ts';
import { applyTemplateRules, type TemplateRule } from './template-rules.ts';

/** In characters; the wire allows 512. */
export const MAX_TEMPLATE_LENGTH = 200;
export const MAX_SEGMENTS = 12;
const REST = '{rest}';
/** Folding may produce something that folds again; two passes are enough in practice. */
const MAX_PASSES = 5;

/**
 * The template with which a path leaves the browser: `/orders/4711/items` → `/orders/{n}/items`. Takes `URL.pathname`; a
 * query or fragment is cut off. The result starts with `/`, has at most MAX_TEMPLATE_LENGTH characters, and is its own
 * template: toTemplate(toTemplate(x)) = toTemplate(x). Never throws.
 */
export function toTemplate(pathname: string, rules: readonly TemplateRule[] = []): string {
  let template = bound(pathname);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = foldOnce(template, rules);
    if (next === template) return template;
    template = next;
  }
  return `/${REST}`;
}

function foldOnce(pathname: string, rules: readonly TemplateRule[]): string {
  const [path = ''] = pathname.split(/[?#]/, 1);
  // Before decoding, since an escaped slash in a parameter would end it; and afterwards, for other escapes.
  const clean = dropParameters(decode(dropParameters(foldSpelledAt(unescapeMarks(path)))));
  const segments = clean.replace(/^\/+/, '').split(/\/+/);
  const folded =
    applyTemplateRules(segments, rules, foldSegment) ??
    segments.map((segment, index) => (isSapName(segments, index) ? segment : foldSegment(segment)));
  return cut(folded);
}

/** Parentheses first: they may contain `;` and `/`. */
function dropParameters(path: string): string {
  return foldParentheses(path).replace(/;[^/]*/g, '');
}

/** `jane.doe(at)example.com`, before its parentheses are mistaken for a key between two names. */
function foldSpelledAt(path: string): string {
  if (!path.includes('(')) return path;
  const segments = path.split('/').map((segment) => (/\(\s*(?:at|@|%40)\s*\)/i.test(segment) ? '{email}' : segment));
  return segments.join('/');
}

/** `(`, `)` and `;` mean the same when escaped, even twice, while an escaped `/` does not yet end a segment. */
function unescapeMarks(path: string): string {
  return path.replace(/%(?:25)*(28|29|3b)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Long input is cut before it is examined closely: a data-like path may have megabytes. */
function bound(pathname: string): string {
  return pathname.length > 4096 ? `${pathname.slice(0, 4096)}/${REST}` : pathname;
}

/** Escaped text is folded like any other; broken escapes keep their `%`, which gets them folded. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
}

/**
 * `/sap(bD1kZSZjPTAwMQ==)/bc` → `/sap({key})/bc`, `Orders(ID=5)` → `Orders({key})`. Done before the path is split, since
 * base64 contains slashes. Counts nesting; unclosed parentheses extend to the end.
 */
function foldParentheses(path: string): string {
  let result = '';
  let depth = 0;
  for (const character of path) {
    if (character === '(') {
      if (depth === 0) result += '({key})';
      depth++;
    } else if (character === ')') {
      // An unmatched one is left for foldSegment to reject.
      if (depth === 0) result += character;
      else depth--;
    } else if (depth === 0) result += character;
  }
  return result;
}

function cut(segments: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const segment of segments) {
    const isLast = kept.length === segments.length - 1;
    const room = MAX_TEMPLATE_LENGTH - (isLast ? 0 : REST.length + 1);
    const isRest = isLast && segment === REST;
    if ((kept.length >= MAX_SEGMENTS && !isRest) || length + segment.length + 1 > room) {
      kept.push(REST);
      break;
    }
    kept.push(segment);
    length += segment.length + 1;
  }
  return `/${kept.join('/')}`;
}
