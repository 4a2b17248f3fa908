import { editDistance } from '../vocabulary/edit-distance.ts';
import type { SelectorList } from './recording.ts';
import type { NamedElement } from './run-outcome.ts';

export const NEAREST = 10;
const MAX_NAME = 80;

/** What a step looked for, as people call it: from its `aria/` or `text/` selector; null if it has none. */
export function wantedElement(selectors: SelectorList): NamedElement | null {
  for (const selector of selectors) {
    const last = typeof selector === 'string' ? selector : (selector.at(-1) ?? '');
    const [, kind, text = ''] = /^(aria|text)\/(.*)$/s.exec(last) ?? [];
    const [, name = text, role = ''] = /^(.*)\[role="([^"]*)"\]$/s.exec(text) ?? [];
    if (kind !== undefined && name !== '') return { role, name };
  }
  return null;
}

/** The elements of a page that resemble what was looked for most, the best one first; without a name to go by, the first ones. */
export function nearestElements(wanted: NamedElement | null, elements: readonly NamedElement[]): NamedElement[] {
  if (wanted === null) return elements.slice(0, NEAREST);
  const name = wanted.name.slice(0, MAX_NAME).toLowerCase();
  const distance = (element: NamedElement) => {
    const other = element.name.slice(0, MAX_NAME).toLowerCase();
    const edits = editDistance(name, other) / Math.max(name.length, other.length, 1);
    return edits + (wanted.role === '' || element.role === wanted.role ? 0 : 0.2);
  };
  return elements
    .map((element) => ({ element, distance: distance(element) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ element }) => element);
}
