import type { ServerTimingEntry } from '../../../shared/timing/timing-entry.ts';

const MAX_HEADER = 4096;
/** RFC 9110, sections 5.6.2 and 5.6.4. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[^"\\]|\\.)*(?:"|$)`;
/** Separators within a quoted string separate nothing. */
const METRICS = new RegExp(`(?:${QUOTED}|[^",])+`, 'gs');
const PARAMETERS = new RegExp(`(?:${QUOTED}|[^";])+`, 'gs');
const PARAMETER = new RegExp(`^\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|${QUOTED}|)`, 's');
const NAME = new RegExp(`^\\s*(${TOKEN})`);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The entries that browsers make of a Server-Timing header: https://www.w3.org/TR/server-timing/#the-server-timing-header-field.
 * The first parameter with a name counts, and a duration that is no number is 0.
 */
export function parseServerTiming(header: string): ServerTimingEntry[] {
  return (header.slice(0, MAX_HEADER).match(METRICS) ?? []).flatMap((metric) => {
    const [head = '', ...rest] = metric.match(PARAMETERS) ?? [];
    const name = NAME.exec(head)?.[1];
    if (name === undefined) return [];
    const parameters = new Map<string, string>();
    for (const text of rest) {
      const [, key = '', value = ''] = PARAMETER.exec(text) ?? [];
      if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), unquote(value));
    }
    const stated = parameters.get('dur') ?? '';
    const duration = NUMBER.test(stated) ? Number(stated) : 0;
    return [{ name, duration, description: parameters.get('desc') ?? '' }];
  });
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.)/gs, '$1') : value;
}
