import { HarCutter, type HarPiece } from './har-cutter.ts';
import { headerAt, isObject, type Json, numberAt, objectAt, parsePiece, textAt } from './har-values.ts';
import { JsonSyntax, type SyntaxFault } from './json-syntax.ts';

/** What a HAR states about all of its entries, at whatever position in the file. */
export interface HarSurvey {
  readonly creator: Json;
  readonly browser: Json;
  /** The first one that a request names; empty if none does. */
  readonly userAgent: string;
  /** An entry names its connection or has a connect time; an entry without one then used an existing connection. */
  readonly statesConnections: boolean;
  /** Pages with load times, which samples cannot hold. */
  readonly pageTimings: number;
  readonly foundEntries: boolean;
  /** Where the file stops being JSON; null if it is valid. */
  readonly syntax: SyntaxFault | null;
}

/**
 * Reads a HAR before its entries are imported, since the facts needed for that may follow them.
 *
 * @param page called for each page
 */
export async function surveyHar(
  content: AsyncIterable<Buffer>,
  page: (id: string, title: string) => void,
): Promise<HarSurvey> {
  const cutter = new HarCutter();
  const syntax = new JsonSyntax();
  const about: { creator: Json; browser: Json } = { creator: {}, browser: {} };
  let userAgent = '';
  let statesConnections = false;
  let pageTimings = 0;
  const handle = ({ name, text }: HarPiece) => {
    if (text === null || (name === 'entry' && statesConnections && userAgent !== '')) return;
    const value = parsePiece(text);
    if (!isObject(value)) return;
    if (name === 'entry') {
      statesConnections ||= statesConnection(value);
      if (userAgent === '') userAgent = headerAt(objectAt(value, 'request'), 'user-agent');
    } else if (name === 'page') {
      page(textAt(value, 'id'), textAt(value, 'title'));
      if (hasLoadTimes(value)) pageTimings++;
    } else about[name] = value;
  };
  for await (const chunk of content) {
    syntax.push(chunk);
    for (const piece of cutter.push(chunk)) handle(piece);
  }
  return {
    ...about,
    userAgent,
    statesConnections,
    pageTimings,
    foundEntries: cutter.foundEntries,
    syntax: syntax.end(),
  };
}

function statesConnection(entry: Json): boolean {
  const timings = objectAt(entry, 'timings');
  const took = (name: string) => (numberAt(timings, name) ?? 0) > 0;
  return textAt(entry, 'connection') !== '' || typeof entry.connection === 'number' || took('connect') || took('ssl');
}

function hasLoadTimes(page: Json): boolean {
  const timings = objectAt(page, 'pageTimings');
  return numberAt(timings, 'onContentLoad') !== null || numberAt(timings, 'onLoad') !== null;
}
