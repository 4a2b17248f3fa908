import type { Texts } from './english.ts';
import { wordFor } from './word-for.ts';

/** A dimension's value in the reader's words where it is one of our codes; names of hosts, sites and the like as they are. */
export function dimensionWord(dimension: string, value: string, texts: Pick<Texts, 'types' | 'connections'>): string {
  if (dimension === 'type') return wordFor(texts.types, value);
  return dimension === 'connection' ? wordFor(texts.connections, value) : value;
}
