import type { CauseName, Truth } from '../fleets/plan.ts';
import type { Claim as FullClaim } from './product-claims.ts';

type Claim = Omit<FullClaim, 'saves'>;

/** A day that is named may be this far from the true one. */
const DAYS_OFF = 3;

/** What the product may call a cause. */
const WORDS: Readonly<Record<CauseName, readonly Claim['about'][]>> = {
  slow_endpoint: ['slow_server'],
  slow_host: ['slow_server'],
  overloaded_hour: ['slow_hours'],
  packet_loss: ['packet_loss'],
  lossy_site: ['packet_loss'],
  keep_alive_edge: ['early_close'],
  tickets_off: ['full_handshakes', 'change'],
  no_resumption: ['full_handshakes'],
  inspection: ['inspection'],
  far_site: ['far_site'],
  slow_dns: ['slow_dns'],
  large_downloads: ['large_download'],
  h1_queueing: ['queueing'],
  cold_caches: ['cold_cache'],
  slow_third_party: ['slow_third_party'],
  slow_third_party_visible: ['slow_third_party', 'slow_server'],
  sick_browser: ['slow_browser'],
  release_worse: ['change'],
  fix_better: ['change'],
  busy_site_line: ['busy_line'],
  error_burst: ['errors'],
  redirect_chain: ['redirects'],
  long_polling: [],
  event_stream: [],
  weekend_lull: [],
  home_wifi: [],
  mixed_schemes: [],
  abandoned_requests: [],
  nothing: [],
};

/**
 * A slow request to a host that no page comes from may be called a slow server or a slow third party: both send the reader to the same host
 * and path, and a third party is what it is to the app's owner.
 */
const WORDS_OF_FOREIGN: Partial<typeof WORDS> = { slow_endpoint: ['slow_server', 'slow_third_party'] };

function wordsFor({ cause, foreign }: Truth): readonly Claim['about'][] {
  return (foreign === true ? WORDS_OF_FOREIGN[cause] : undefined) ?? WORDS[cause];
}

export type Match = 'named' | 'partly' | 'no';

/**
 * `named`: the right word, and every place that the truth has: host, template, site, browser, hour, day. `partly`: the right word and
 * nothing that contradicts the truth, at a place of it at least.
 */
export function matchOf(claim: Claim, truth: Truth): Match {
  if (!wordsFor(truth).includes(claim.about)) return 'no';
  const places = (['host', 'template', 'site', 'browser', 'hour'] as const).filter(
    (place) => truth[place] !== undefined,
  );
  const said = places.filter((place) => claim[place] !== undefined);
  if (said.some((place) => claim[place] !== truth[place])) return 'no';
  const dayOff = daysOff(claim, truth);
  if (dayOff !== null && dayOff > DAYS_OFF) return 'no';
  if (said.length === places.length && (truth.day === undefined || dayOff !== null)) return 'named';
  return said.length > 0 ? 'partly' : 'no';
}

/** null where one of the two has no day. */
export function daysOff(claim: Claim, truth: Truth): number | null {
  return claim.day === undefined || truth.day === undefined ? null : Math.abs(claim.day - truth.day);
}

export interface Grade {
  /** Place of the first claim that names each cause, from 0; null where none does. Decoys have none. */
  readonly places: readonly (number | null)[];
  /** Causes that are named in part and never in full. */
  readonly partly: number;
  readonly claims: number;
  /** Claims that fit no planted cause, not even in part. */
  readonly falseClaims: number;
  readonly daysOff: readonly number[];
}

export function gradeClaims(claims: readonly Claim[], truth: readonly Truth[]): Grade {
  const causes = truth.filter(({ decoy }) => !decoy);
  const places = causes.map((cause) => {
    const place = claims.findIndex((claim) => matchOf(claim, cause) === 'named');
    return place < 0 ? null : place;
  });
  return {
    places,
    partly: causes.filter(
      (cause, i) => places[i] === null && claims.some((claim) => matchOf(claim, cause) === 'partly'),
    ).length,
    claims: claims.length,
    falseClaims: claims.filter((claim) => causes.every((cause) => matchOf(claim, cause) === 'no')).length,
    daysOff: causes.flatMap((cause, i) => {
      const claim = claims[places[i] ?? -1];
      const off = claim === undefined ? null : daysOff(claim, cause);
      return off === null ? [] : [off];
    }),
  };
}
