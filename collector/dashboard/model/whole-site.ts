/**
 * The pattern for the whole site of an address, which was probably meant: the address of a page matches only that page, and
 * a host by itself is no pattern. Null for a pattern with a `*`, and for what is no address.
 */
export function wholeSite(line: string): string | null {
  if (/[*\s]/.test(line)) return null;
  const address = line.includes('://') ? line : `https://${line}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}/*`;
}

/** Whether it is an address with a path, and so a valid pattern for a single page. */
export function isPage(line: string): boolean {
  return /^https?:\/\/[^/]+\//i.test(line);
}

/** The host of a pattern, with its port but without a wildcard. */
export function hostName(pattern: string): string {
  return pattern.replace(/^.*?:\/\//, '').replace(/^\*\.|\/.*$/g, '');
}
