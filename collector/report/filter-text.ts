/** Filters as a reader reads them: `host erp.example.com, shop.example.com; type document`. Empty without any. */
export function filterText(filters: Readonly<Record<string, readonly string[] | undefined>>): string {
  return Object.entries(filters)
    .filter(([, values]) => values !== undefined && values.length > 0)
    .map(([name, values]) => `${name} ${(values ?? []).join(', ')}`)
    .join('; ');
}
