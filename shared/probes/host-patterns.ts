import { parseHttpUrl } from '../redact/http-url.ts';
import { toOtherScheme } from './sequence-request.ts';

interface Probed {
  readonly url?: string | undefined;
  readonly otherUrl?: string | null;
  readonly wildcard?: boolean;
  readonly steps?: readonly { readonly url: string }[];
}

/** Match patterns of everything a probe requests; an absent `otherUrl` means the same URL with the other scheme. */
export function hostPatterns(probe: Probed): string[] {
  const { url, wildcard = false, steps = [] } = probe;
  const { otherUrl = url === undefined ? null : toOtherScheme(url) } = probe;
  return [url ?? '', otherUrl ?? '', ...steps.map((step) => step.url)].flatMap((each) => {
    const parsed = parseHttpUrl(each);
    if (parsed === null) return [];
    const { scheme, hostname } = parsed;
    return [`${scheme}://${hostname}/*`, ...(wildcard ? [`${scheme}://*.${hostname}/*`] : [])];
  });
}
