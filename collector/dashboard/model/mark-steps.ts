import type { Mark } from '../../charts/drawing.ts';

/** Marks that Page Up and Page Down pass over. */
const PAGE = 10;

/** A mark in one line, for screen readers. */
export function markText({ title, lines }: Mark): string {
  const parts = lines.map(({ label, value }) => [label, value].filter((part) => part !== '').join(' '));
  return `${title}: ${parts.join(', ')}`;
}

/** The mark that a key leads to; null for keys without a meaning here. */
export function stepFrom(marks: readonly Mark[], index: number, key: string): number | null {
  const last = marks.length - 1;
  const within = (wanted: number) => Math.max(0, Math.min(last, wanted));
  switch (key) {
    case 'ArrowRight':
      return within(index + 1);
    case 'ArrowLeft':
      return within(index - 1);
    case 'ArrowDown':
      return otherRow(marks, index, 1) ?? within(index + (hasRows(marks) ? 0 : -1));
    case 'ArrowUp':
      return otherRow(marks, index, -1) ?? within(index + (hasRows(marks) ? 0 : 1));
    case 'PageDown':
      return within(index + PAGE);
    case 'PageUp':
      return within(index - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** From the start of the earlier mark to the end of the later one, whatever rows they are in; null without a time. */
export function selectedRange(
  marks: readonly Mark[],
  one: number,
  other: number,
): { readonly from: number; readonly to: number } | null {
  const first = marks[one]?.range;
  const last = marks[other]?.range;
  if (first === undefined || last === undefined) return null;
  return { from: Math.min(first.from, last.from), to: Math.max(first.to, last.to) };
}

function hasRows(marks: readonly Mark[]): boolean {
  return marks.some(({ box }) => box.y !== marks[0]?.box.y);
}

/** The closest mark of the next row in this direction. */
function otherRow(marks: readonly Mark[], index: number, direction: 1 | -1): number | null {
  const here = marks[index]?.box;
  if (here === undefined) return null;
  const middle = here.x + here.width / 2;
  let best: number | null = null;
  let least: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [place, { box }] of marks.entries()) {
    const down = (box.y - here.y) * direction;
    if (down <= 0) continue;
    const aside = Math.abs(box.x + box.width / 2 - middle);
    if (down < least[0] || (down === least[0] && aside < least[1])) {
      best = place;
      least = [down, aside];
    }
  }
  return best;
}
