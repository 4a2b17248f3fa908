/** One problem to correct. `path` is a JSON pointer into the document; empty for the document itself. */
export interface DocumentProblem {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
  /** Stable, with what `message` names: for words of one's own. */
  readonly code: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** One problem for each item that repeats an earlier one's id. */
export function repeatedIds(
  path: string,
  items: readonly { readonly id: string }[],
  hint = 'Each needs its own.',
): DocumentProblem[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    if (seen.has(id))
      return [
        {
          path: `${path}/${index}/id`,
          message: `the id ${id} is used twice`,
          hint,
          code: 'repeated_id',
          values: { id },
        },
      ];
    seen.add(id);
    return [];
  });
}
