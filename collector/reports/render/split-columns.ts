/** The least and the preferred width of a column, in the unit of the page. */
export interface ColumnWidth {
  /** Any narrower, and a number or a word would have to be broken. */
  readonly least: number;
  readonly best: number;
}

/** One part of a table that is too wide: its columns and their widths. */
export interface ColumnPart {
  readonly columns: readonly number[];
  readonly widths: readonly number[];
}

/**
 * Lays a table's columns side by side in `available`; if they do not fit, in several parts, each beginning with the first
 * `keys` columns, which name the row. A column wider than `available` is reduced to it.
 */
export function splitColumns(
  columns: readonly ColumnWidth[],
  keys: number,
  available: number,
  gap: number,
): readonly ColumnPart[] {
  const all = columns.map((_, i) => i);
  const leastOf = (chosen: readonly number[]) =>
    chosen.reduce((sum, i) => sum + (columns[i]?.least ?? 0), gap * Math.max(0, chosen.length - 1));
  if (leastOf(all) <= available) return [{ columns: all, widths: widthsOf(all, columns, available, gap) }];
  const heads = all.slice(0, keys);
  const parts: number[][] = [];
  let part: number[] = [];
  for (const column of all.slice(keys)) {
    if (part.length > 0 && leastOf([...heads, ...part, column]) > available) {
      parts.push(part);
      part = [];
    }
    part.push(column);
  }
  if (part.length > 0 || parts.length === 0) parts.push(part);
  return parts.map((rest) => {
    const chosen = [...heads, ...rest];
    return { columns: chosen, widths: widthsOf(chosen, columns, available, gap) };
  });
}

/** Each column gets its least width; the rest goes first to the columns closest to their preferred width. */
function widthsOf(
  chosen: readonly number[],
  columns: readonly ColumnWidth[],
  available: number,
  gap: number,
): readonly number[] {
  const widths = chosen.map((i) => columns[i]?.least ?? 0);
  let left = available - gap * Math.max(0, chosen.length - 1) - widths.reduce((sum, width) => sum + width, 0);
  if (left < 0) return shrink(widths, -left);
  const wishes = chosen
    .map((i, index) => ({ index, wish: Math.max(0, (columns[i]?.best ?? 0) - (widths[index] ?? 0)) }))
    .sort((a, b) => a.wish - b.wish || a.index - b.index);
  wishes.forEach(({ index, wish }, done) => {
    const given = Math.min(wish, Math.floor(left / (wishes.length - done)));
    widths[index] = (widths[index] ?? 0) + given;
    left -= given;
  });
  return widths;
}

/** The widest column shrinks first. */
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
