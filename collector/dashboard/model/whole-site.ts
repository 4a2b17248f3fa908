import { hostLabel } from '../../../shared/redact/host-label.ts';
import { canonicalHost, MAX_HOST_LENGTH } from '../../../shared/redact/host-name.ts';

/** A scheme, or none and no `//` either; then a host, perhaps a port, and nothing else before the path. */
const ADDRESS = /^(?:(https?):\/\/|(?![^?#]*\/\/))([^/?#@\\:[\]]+|\[[\da-f:.]+\])(:\d+)?(?=[/?#]|$)/i;

/**
 * The pattern for the whole site of an address, which was probably meant: the address of a page matches only that page, and
 * a host by itself is no pattern. Null for a pattern with a `*`, and for what is no address: `https:/erp` could mean two.
 */
export function wholeSite(line: string): string | null {
  if (/[*\s]/.test(line)) return null;
  const [, scheme = 'https', typed = '', port = ''] = ADDRESS.exec(line) ?? [];
  const host = canonicalHost(typed)?.replace(/\.$/, '') ?? '';
  const site = `${scheme}://${host}${port}`;
  return host.length <= MAX_HOST_LENGTH && URL.canParse(site) ? `${new URL(site).origin}/*` : null;
}

/** Whether it is an address with a path, and so a valid pattern for a single page. */
export function isPage(line: string): boolean {
  return /^https?:\/\/[^/]+\//i.test(line);
}

/** The host of a pattern as people read it, with its port but without a wildcard. */
export function hostName(pattern: string): string {
  const host = pattern.replace(/^.*?:\/\//, '').replace(/^\*\.|\/.*$/g, '');
  return host.replace(/^[^:]+/, (name) => hostLabel(name));
}
