import { wordFor } from './word-for.ts';

const SCENARIO = /\bhttps?-(?:new(?:-resumed|-full)?|reused)\b/g;

/** A text with the names of scenarios in place of their codes: a title, a note, the name of a group. */
export function nameScenarios(
  text: string,
  { scenarios }: { readonly scenarios: Readonly<Record<string, string>> },
): string {
  return text.replace(SCENARIO, (code) => wordFor(scenarios, code));
}
