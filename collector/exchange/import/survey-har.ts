import { HarCutter, type HarPiece } from './har-cutter.ts';
import { isObject, type Json, numberAt, objectAt, parsePiece, textAt } from './har-values.ts';
import { JsonSyntax, type SyntaxFault } from './json-syntax.ts';

/** What a HAR says about all of its entries, wherever it stands in the file. */
export interface HarSurvey {
  readonly creator: Json;
  readonly browser: Json;
  /** An entry names its connection or tells how long connecting took: then none means that there was none to make. */
  readonly statesConnections: boolean;
  /** Pages that tell when they were loaded, for which samples have no place. */
  readonly pageTimings: number;
  readonly foundEntries: boolean;
  /** Where the file stops being JSON; null where it does not. */
  readonly syntax: SyntaxFault | null;
}

/**
 * Reads a HAR once before its entries are: what tells how to read them may stand behind them.
 *
 * @param page told of each page
 */
export async function surveyHar(
  content: AsyncIterable<Buffer>,
  page: (id: string, title: string) => void,
): Promise<HarSurvey> {
  const cutter = new HarCutter();
  const syntax = new JsonSyntax();
  const about: { creator: Json; browser: Json } = { creator: {}, browser: {} };
  let statesConnections = false;
  let pageTimings = 0;
  const take = ({ name, text }: HarPiece) => {
    if (text === null || (name === 'entry' && statesConnections)) return;
    const value = parsePiece(text);
    if (!isObject(value)) return;
    if (name === 'entry') statesConnections = statesConnection(value);
    else if (name === 'page') {
      page(textAt(value, 'id'), textAt(value, 'title'));
      if (tellsLoading(value)) pageTimings++;
    } else about[name] = value;
  };
  for await (const chunk of content) {
    syntax.push(chunk);
    for (const piece of cutter.push(chunk)) take(piece);
  }
  return { ...about, statesConnections, pageTimings, foundEntries: cutter.foundEntries, syntax: syntax.end() };
}

function statesConnection(entry: Json): boolean {
  const timings = objectAt(entry, 'timings');
  const took = (name: string) => (numberAt(timings, name) ?? 0) > 0;
  return textAt(entry, 'connection') !== '' || typeof entry.connection === 'number' || took('connect') || took('ssl');
}

function tellsLoading(page: Json): boolean {
  const timings = objectAt(page, 'pageTimings');
  return numberAt(timings, 'onContentLoad') !== null || numberAt(timings, 'onLoad') !== null;
}
