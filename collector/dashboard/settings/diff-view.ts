import { type Difference, type Json, settingsDiff } from '../model/settings-diff.ts';
import { type Child, element, spoken } from '../render/element.ts';

/** Differences as a list of removed and added values. */
export function diffView(before: Json | undefined, after: Json | undefined): HTMLElement {
  const differences = settingsDiff(before, after);
  if (differences.length === 0) return element('p', { class: 'quiet' }, 'No differences.');
  return element('ul', { class: 'diff' }, ...differences.map(line));
}

function line({ path, before, after }: Difference): HTMLElement {
  const name = element('span', { class: 'diff-path' }, path.join(' › ') || 'the whole document');
  return element('li', {}, name, ...changes(before, after));
}

function changes(before: Json | undefined, after: Json | undefined): Child[] {
  if (isWords(before) && isWords(after)) {
    const gone = before.filter((word) => !after.includes(word));
    const come = after.filter((word) => !before.includes(word));
    if (gone.length + come.length > 0)
      return [...gone.map((word) => removed(word)), ...come.map((word) => added(word))];
  }
  return [...(before === undefined ? [] : [removed(before)]), ...(after === undefined ? [] : [added(after)])];
}

function removed(value: Json): HTMLElement {
  return element('del', {}, spoken('removed: '), textOf(value));
}

function added(value: Json): HTMLElement {
  return element('ins', {}, spoken('added: '), textOf(value));
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 1 : 0);
}

function isWords(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
