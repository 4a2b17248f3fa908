/**
 * Filters as a reader reads them: `host erp.example.com, shop.example.com; type document`. Empty without any.
 *
 * @param users words for the filter that leaves probes away
 */
export function filterText(
  filters: Readonly<Record<string, readonly string[] | undefined>>,
  users: string | null = null,
): string {
  const { source, ...others } = filters;
  // What every monthly report is filtered by has a name.
  const named = users !== null && source?.length === 1 && source[0] === 'page';
  const rest = Object.entries(named ? others : filters)
    .filter(([, values]) => values !== undefined && values.length > 0)
    .map(([name, values]) => `${name} ${(values ?? []).join(', ')}`);
  return [...(named ? [users] : []), ...rest].join('; ');
}
