import { parseHttpUrl } from '../redact/http-url.ts';
import { otherSchemeOf } from './ladder-request.ts';

interface Probed {
  readonly url: string;
  readonly otherUrl?: string | null;
  readonly wildcard?: boolean;
}

/** Match patterns of everything that a probe asks; `otherUrl` absent means the same address with the other scheme. */
export function hostPatterns({ url, otherUrl = otherSchemeOf(url), wildcard = false }: Probed): string[] {
  return [url, otherUrl ?? ''].flatMap((each) => {
    const parsed = parseHttpUrl(each);
    if (parsed === null) return [];
    const { scheme, hostname } = parsed;
    return [`${scheme}://${hostname}/*`, ...(wildcard ? [`${scheme}://*.${hostname}/*`] : [])];
  });
}
