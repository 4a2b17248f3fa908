import { MAX_INTERVAL_WIDTH, MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { Finding, FindingPart } from '../summary/finding.ts';
import type { VerdictWord } from '../summary/summary-document.ts';
import { amount } from './amount.ts';
import { DIMENSION_LABELS } from './dimension-labels.ts';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  document: 'documents',
  script: 'scripts',
  style: 'style sheets',
  image: 'images',
  font: 'fonts',
  fetch: 'fetches',
  iframe: 'frames',
  media: 'media',
  beacon: 'beacons',
  other: 'other requests',
};

const PHASE_WORDS = {
  blocked: 'waiting inside the browser',
  wait: 'waiting for the server',
  receive: 'receiving the body',
} as const;

const VERDICT_WORDS: Readonly<Record<Exclude<VerdictWord, 'unknown'>, string>> = {
  tls: 'TLS',
  network: 'network',
  server: 'server',
  download: 'download',
  client: 'the browser itself',
};

const REASON_WORDS = {
  no_samples: 'nothing was measured',
  no_round_trip: 'no new connection was seen that could tell the network from the server',
  no_leader: 'no part is large enough to be the cause alone',
} as const;

const NONE = '(none)';

const DOUBT_WORDS = {
  few_samples: `there are fewer than ${MIN_SAMPLES} samples`,
  wide_quartiles: 'the quartiles lie far apart',
  wide_interval: `the median is not known to ${100 * MAX_INTERVAL_WIDTH} % yet`,
} as const;

/** A finding in plain English, one sentence an entry; the first stands by itself. */
export function findingText(finding: Finding): string[] {
  return [
    `${subject(finding)}: median ${ms(finding.median)}, average ${ms(finding.mean)}.`,
    gapSentence(finding),
    tlsSentence(finding),
    verdictSentence(finding),
    doubtSentence(finding),
  ].filter((sentence) => sentence !== null);
}

function subject({ host, type, others }: Finding): string {
  const what = type === null ? 'all requests' : (TYPE_WORDS[type] ?? type);
  const named = others.map(({ dimension, value }) => `, ${DIMENSION_LABELS[dimension].toLowerCase()} ${value ?? NONE}`);
  return (host === null ? capital(what) : `${host}, ${what}`) + named.join('');
}

function gapSentence({ gap }: Finding): string | null {
  if (!gap) return 'Median and average agree.';
  const lead =
    gap.ratio === null
      ? `The average is ${ms(gap.total)} above a median of 0`
      : `The average is ${amount(gap.ratio)} times the median`;
  const { parts, total } = gap;
  const [first, ...others] = parts;
  if (!first) return `${lead}.`;
  // Shares of a difference are told of only where all of them point its way.
  if (total < 0 || parts.some((part) => part.ms < 0)) {
    const size = gap.ratio === null ? '' : `, ${ms(Math.abs(total))} ${total < 0 ? 'below' : 'above'} it`;
    return `${lead}${size}: ${parts.map(partEffect).join(', ')}.`;
  }
  const rest = others.map((part) => `, ${ms(part.ms)} from ${partName(part)}`).join('');
  return `${lead}: ${amount(first.ms)} of the ${amount(total)} ms between them come from ${partName(first)}${rest}.`;
}

function partEffect(part: FindingPart): string {
  const s = part.part === 'setup' ? '' : 's';
  return `${partName(part)} ${part.ms < 0 ? `take${s} ${ms(-part.ms)} off` : `add${s} ${ms(part.ms)}`}`;
}

function partName(part: FindingPart): string {
  switch (part.part) {
    case 'tail':
      return `the slowest 1 %${part.phase === null ? '' : ` (${PHASE_WORDS[part.phase]})`}`;
    case 'spread':
      return 'the spread of ordinary requests';
    case 'setup': {
      const tls = part.tls === null ? '' : `, TLS ${amount(part.tls)} of it`;
      return `the ${percent(part.share)} of requests that pay a new connection (median ${ms(part.median)}${tls})`;
    }
  }
}

function tlsSentence({ tls, mergedHandshakes }: Finding): string | null {
  if (mergedHandshakes) {
    return 'HTTP/3 joins TCP and TLS into one handshake, so what TLS costs per request cannot be told.';
  }
  if (!tls) return null;
  const { meanPerRequest, medianPerRequest } = tls;
  return `Per request, TLS costs ${ms(meanPerRequest)} on average and ${amount(medianPerRequest)} at the median.`;
}

function verdictSentence({ verdict, verdictReason, nearbyEndpoint }: Finding): string {
  if (verdict === 'server' && nearbyEndpoint) {
    return 'Verdict: server, or the way to it: TCP ends at a proxy, VPN or CDN near the users, and this is everything behind that.';
  }
  if (verdict !== 'unknown') return `Verdict: ${VERDICT_WORDS[verdict]}.`;
  return `Verdict: unknown, ${REASON_WORDS[verdictReason ?? 'no_leader']}.`;
}

function doubtSentence({ keepMeasuring }: Finding): string | null {
  if (keepMeasuring.length === 0) return null;
  return `Keep measuring: ${keepMeasuring.map((reason) => DOUBT_WORDS[reason]).join(', and ')}.`;
}

function ms(value: number): string {
  return `${amount(value)} ms`;
}

function percent(share: number): string {
  return `${amount(100 * share)} %`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
