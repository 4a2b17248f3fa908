/** How wide a column is at least and at best, in whatever unit the page is measured in. */
export interface ColumnWidth {
  /** Narrower, and a number or a word would have to be cut. */
  readonly least: number;
  readonly best: number;
}

/** One part of a table that is too wide: which columns it holds, and how wide each is. */
export interface ColumnPart {
  readonly columns: readonly number[];
  readonly widths: readonly number[];
}

/**
 * Lays a table's columns side by side in `room`; where they do not fit, in several parts, each beginning with the first
 * `keys` columns, which say what a row is about. A column wider than the whole room is cut down to it.
 */
export function splitColumns(
  columns: readonly ColumnWidth[],
  keys: number,
  room: number,
  gap: number,
): readonly ColumnPart[] {
  const all = columns.map((_, i) => i);
  const leastOf = (chosen: readonly number[]) =>
    chosen.reduce((sum, i) => sum + (columns[i]?.least ?? 0), gap * Math.max(0, chosen.length - 1));
  if (leastOf(all) <= room) return [{ columns: all, widths: widthsOf(all, columns, room, gap) }];
  const heads = all.slice(0, keys);
  const parts: number[][] = [];
  let part: number[] = [];
  for (const column of all.slice(keys)) {
    if (part.length > 0 && leastOf([...heads, ...part, column]) > room) {
      parts.push(part);
      part = [];
    }
    part.push(column);
  }
  if (part.length > 0 || parts.length === 0) parts.push(part);
  return parts.map((rest) => {
    const chosen = [...heads, ...rest];
    return { columns: chosen, widths: widthsOf(chosen, columns, room, gap) };
  });
}

/** Each its least, and what room is left where it is wished for, first come first served by how little is missing. */
function widthsOf(
  chosen: readonly number[],
  columns: readonly ColumnWidth[],
  room: number,
  gap: number,
): readonly number[] {
  const widths = chosen.map((i) => columns[i]?.least ?? 0);
  let left = room - gap * Math.max(0, chosen.length - 1) - widths.reduce((sum, width) => sum + width, 0);
  if (left < 0) return shrink(widths, -left);
  const wishes = chosen
    .map((i, place) => ({ place, wish: Math.max(0, (columns[i]?.best ?? 0) - (widths[place] ?? 0)) }))
    .sort((a, b) => a.wish - b.wish || a.place - b.place);
  wishes.forEach(({ place, wish }, done) => {
    const given = Math.min(wish, Math.floor(left / (wishes.length - done)));
    widths[place] = (widths[place] ?? 0) + given;
    left -= given;
  });
  return widths;
}

/** The widest gives first. */
function shrink(widths: number[], missing: number): number[] {
  let left = missing;
  while (left > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 1) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    left--;
  }
  return widths;
}
