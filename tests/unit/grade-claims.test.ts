import { describe, expect, it } from 'vitest';
import { gradeClaims, matchOf } from '../bench/grade-claims.ts';
import type { Claim as FullClaim } from '../bench/product-claims.ts';
import type { Truth } from '../fleets/plan.ts';

type Claim = Omit<FullClaim, 'saves'>;

const ENDPOINT: Truth = { cause: 'slow_endpoint', app: 'erp', host: 'api.example.com', template: '/search' };
const RELEASE: Truth = { cause: 'release_worse', app: 'erp', host: 'erp.example.com', day: 12 };
const FAR: Truth = { cause: 'far_site', site: 'Madrid' };
const QUIET: Truth = { cause: 'nothing', decoy: true };
const ENDPOINT_NAMED: Claim = { about: 'slow_server', host: 'api.example.com', template: '/search' };

describe('a claim', () => {
  it.each<[Claim, Truth, string]>([
    [ENDPOINT_NAMED, ENDPOINT, 'named'],
    [{ about: 'slow_server', host: 'api.example.com', type: 'fetch' }, ENDPOINT, 'partly'],
    [{ about: 'slow_server', host: 'api.example.com', template: '/orders' }, ENDPOINT, 'no'],
    [{ about: 'slow_server', host: 'erp.example.com' }, ENDPOINT, 'no'],
    [{ about: 'large_download', host: 'api.example.com', template: '/search' }, ENDPOINT, 'no'],
    [{ about: 'slow_server' }, ENDPOINT, 'no'],
    [{ ...ENDPOINT_NAMED, about: 'slow_third_party' }, ENDPOINT, 'no'],
    [{ ...ENDPOINT_NAMED, about: 'slow_third_party' }, { ...ENDPOINT, foreign: true }, 'named'],
    [{ ...ENDPOINT_NAMED, about: 'slow_third_party', template: '/orders' }, { ...ENDPOINT, foreign: true }, 'no'],
    [ENDPOINT_NAMED, { ...ENDPOINT, foreign: true }, 'named'],
    [{ about: 'far_site', site: 'Madrid' }, FAR, 'named'],
    [{ about: 'far_site', host: 'erp.example.com' }, FAR, 'no'],
    [{ about: 'change', host: 'erp.example.com', day: 13 }, RELEASE, 'named'],
    [{ about: 'change', host: 'erp.example.com' }, RELEASE, 'partly'],
    [{ about: 'change', host: 'erp.example.com', day: 20 }, RELEASE, 'no'],
    [ENDPOINT_NAMED, QUIET, 'no'],
  ])('%j about %j: %s', (claim, truth, match) => {
    expect(matchOf(claim, truth)).toBe(match);
  });
});

describe('the grade', () => {
  it('has the place of the first claim that names each cause, and counts the false ones', () => {
    const claims: Claim[] = [
      { about: 'slow_browser', host: 'erp.example.com' },
      ENDPOINT_NAMED,
      { about: 'change', host: 'erp.example.com', day: 14 },
      { about: 'far_site', site: 'Vienna' },
    ];
    expect(gradeClaims(claims, [ENDPOINT, RELEASE, FAR])).toEqual({
      places: [1, 2, null],
      partly: 0,
      claims: 4,
      falseClaims: 2,
      daysOff: [2],
    });
  });

  it('has a cause that is named in part only, which is no false claim', () => {
    expect(gradeClaims([{ about: 'slow_server', host: 'api.example.com' }], [ENDPOINT])).toMatchObject({
      places: [null],
      partly: 1,
      falseClaims: 0,
    });
  });

  it('expects nothing about decoys: any claim is false', () => {
    expect(gradeClaims([], [QUIET])).toMatchObject({ places: [], claims: 0, falseClaims: 0 });
    expect(gradeClaims([ENDPOINT_NAMED], [QUIET])).toMatchObject({ places: [], claims: 1, falseClaims: 1 });
  });
});
