import { type NamesOfApps, NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import type { Finding } from '../summary/finding.ts';
import type { Texts } from './english.ts';
import { capital, wordFor } from './word-for.ts';

/** A finding in plain words, one sentence per item; the first makes sense on its own. */
export function findingText(finding: Finding, texts: Texts, apps = NO_APP_NAMES): string[] {
  const { tls, mergedHandshakes, variesWidely, keepMeasuring, abandoned, abandonedAfter, few, busiest } = finding;
  const words = texts.finding;
  return [
    words.times(subjectOf(finding, texts, apps), finding),
    // Beside the times, since it qualifies them.
    [
      gapSentence(finding, texts),
      ...(few === null ? [] : [words.few(few)]),
      ...(busiest === null ? [] : [words.busiest(busiest)]),
      ...(abandoned === null ? [] : [words.abandoned(abandoned, abandonedAfter)]),
    ].join(' '),
    ...(mergedHandshakes
      ? [words.mergedHandshakes]
      : tls === null
        ? []
        : [words.tls(tls.meanPerRequest, tls.medianPerRequest)]),
    verdictSentence(finding, texts),
    ...(variesWidely === null ? [] : [words.variesWidely(variesWidely)]),
    ...(keepMeasuring.length === 0 ? [] : [words.keepMeasuring(keepMeasuring)]),
  ];
}

function subjectOf({ host, type, others }: Finding, { finding, types, none }: Texts, apps: NamesOfApps): string {
  const what = type === null ? finding.allRequests : (types[type] ?? type);
  const named = others.map(({ dimension, value }) => {
    const label = dimension === 'target' ? (apps.get(value ?? '') ?? value) : value;
    return `, ${finding.dimension(dimension)} ${label ?? none}`;
  });
  return (host === null ? capital(what) : `${host}, ${what}`) + named.join('');
}

/** One verdict where the typical request and the average agree. */
function verdictSentence(finding: Finding, { finding: words }: Texts): string {
  const { verdict, typicalVerdict, verdictReason, nearbyEndpoint } = finding;
  const hedged = nearbyEndpoint && (verdict === 'server' || typicalVerdict === 'server');
  if (verdict !== typicalVerdict) {
    return words.twoVerdicts(typicalVerdict, verdict) + (hedged ? ` ${words.behindEndpoint}` : '');
  }
  if (verdict === 'unknown') return words.noVerdict(verdictReason ?? 'no_leader');
  return hedged ? words.nearbyEndpoint : words.verdict(verdict);
}

function gapSentence({ gap }: Finding, { finding: words }: Texts): string {
  if (gap === null) return words.noGap;
  const { ratio, total, parts } = gap;
  const lead = words.gap(ratio, total);
  const size = ratio === null ? '' : `, ${words.gapSize(total)}`;
  // That ordinary requests vary explains nothing.
  const [first, ...others] = parts.filter(({ part }) => part !== 'spread');
  if (first === undefined) return `${lead}${size}.`;
  // Parts add up to a difference only where all of them have its sign.
  if (total < 0 || parts.some(({ ms }) => ms < 0)) return `${lead}${size}: ${parts.map(words.adds).join(', ')}.`;
  return `${lead}: ${words.cameFrom(total, [first, ...others])}.`;
}

/** The codes in a view's table (`few_samples, wide_interval`) in words. */
export function keepMeasuringText(codes: string, { keepMeasuring }: Texts): string {
  return codes
    .split(', ')
    .map((code) => wordFor(keepMeasuring, code))
    .join(', ');
}
