import { foldSegment } from './fold-segment.ts';

/**
 * Handlers of SAP's service tree (transaction SICF) that are followed by a namespace and an application. Both are repository
 * names chosen by programmers, and often contain a number: IT03, ZHR_TIME02.
 */
const WITH_APPLICATION: ReadonlySet<string> = new Set([
  'bsp',
  'gui',
  'nwbc',
  'odata',
  'odata4',
  'ui2',
  'ui5_ui5',
  'webdynpro',
]);
/** A Business Server Pages application has up to this many folder levels, then a page: repository objects too. */
const MAX_FOLDERS = 1;
const HANDLER = 2;
const APPLICATION = 4;

/** A word, or a word with a number of up to three digits and a unit: `it03`, `text100kb`. A user id would have more. */
const NAME_PART = /^(?:[a-z]+|[a-z]{2,}\d{1,3}[a-z]{0,3})$/i;
/** `ZMM_PO_SRV`: no other sign joins its parts. */
const REPOSITORY_NAME = /^\w+$/;
const FILE = /\.[a-z]{2,4}$/i;

/**
 * Whether this segment is the name of a handler, an application or a page in SAP's service tree
 * (`/sap(…)/bc/bsp/sap/it03/text1kb.htm`), which keeps its number: elsewhere `it03` could identify a person. Without its
 * numbers it has to consist of words.
 */
export function isSapName(segments: readonly string[], index: number): boolean {
  if (index < HANDLER || !isServiceTree(segments)) return false;
  const segment = segments[index] ?? '';
  return isPlace(segments, index) && (/\d/.test(segment) || REPOSITORY_NAME.test(segment)) && isName(segment);
}

function isServiceTree([root = '', node = '']: readonly string[]): boolean {
  return /^sap(?:\(\{key\}\))?$/i.test(root) && /^(?:bc|opu)$/i.test(node);
}

function isPlace(segments: readonly string[], index: number): boolean {
  if (index === HANDLER) return true;
  const handler = segments[HANDLER]?.toLowerCase() ?? '';
  if (index <= APPLICATION) return WITH_APPLICATION.has(handler);
  const folders = segments.slice(APPLICATION, index);
  const isPage = index === segments.length - 1 && FILE.test(segments[index] ?? '');
  return (
    handler === 'bsp' && isPage && folders.length <= 1 + MAX_FOLDERS && !folders.some((folder) => FILE.test(folder))
  );
}

/** Each part of its own, without its numbers, and without the Z or Y that customers' names begin with. */
function isName(segment: string): boolean {
  const parts = segment.split(/[._-]/);
  if (!parts.every((part) => NAME_PART.test(part) && !/^[0-9a-f]{6,}$/i.test(part))) return false;
  return parts.every((part) =>
    part.split(/\d+/).every((word) => [word, word.replace(/^[zy]/i, '')].some((each) => foldSegment(each) === each)),
  );
}
