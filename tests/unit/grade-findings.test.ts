import { describe, expect, it } from 'vitest';
import { type GradedFinding, gradeFindings, matchOf } from '../bench/grade-findings.ts';
import type { MeasuredCause, Place } from '../fleets/truth.ts';

/** All of its cost lies at the host and, there, three quarters of it at /search; the host has a tenth of all waiting. */
const RELEASE: MeasuredCause = {
  name: 'a release that made one host slower',
  places: [{ host: 'api.example.com' }, { target: 'erp', type: 'fetch' }],
  quantities: ['wait', 'ttlb'],
  day: 12,
  direction: 'slower',
  costShare: 0.1,
  costAt: ({ host, template, site }) => {
    if (host !== undefined && host !== 'api.example.com') return 0;
    if (site !== undefined) return site === 'Madrid' ? 0.9 : 0.1;
    return template === undefined ? 1 : template === '/search' ? 0.75 : 0.25;
  },
  usualAt: ({ site, host }) => (site === 'Madrid' ? 0.2 : host === undefined ? 0.8 : 0.1),
};
const CRON: MeasuredCause = {
  ...RELEASE,
  name: 'a job at some minutes of each hour',
  places: [{ host: 'erp.example.com', minutes: [15, 20], weekdays: [1, 2] }],
  quantities: ['wait'],
  costShare: 0.04,
  costAt: ({ host, minutes: [from, to] = [0, 60] }) => (host === 'erp.example.com' && from < 20 && to > 15 ? 1 : 0),
};
const ALWAYS: MeasuredCause = (({ day: _, ...cause }) => cause)(CRON);

function finding(place: GradedFinding['place'], more: Partial<GradedFinding> = {}): GradedFinding {
  return {
    kind: 'x',
    shape: null,
    quantity: 'wait',
    place,
    since: null,
    savedShare: 0.1,
    savedInterval: null,
    ...more,
  };
}

describe('a finding about a planted cause', () => {
  it.each<[string, Place, Partial<GradedFinding>, string]>([
    ['its place, quantity and day', { host: 'api.example.com' }, { since: 12 }, 'named'],
    ['another true place of it', { target: 'erp', type: 'fetch' }, { since: 13 }, 'named'],
    ['narrower, where most of the cost lies', { host: 'api.example.com', template: '/search' }, { since: 12 }, 'named'],
    ['narrower, where little of it lies', { host: 'api.example.com', template: '/orders' }, { since: 12 }, 'partly'],
    ['two days off', { host: 'api.example.com' }, { since: 14 }, 'partly'],
    ['no day', { host: 'api.example.com' }, {}, 'partly'],
    ['half of a place', { target: 'erp' }, { since: 12 }, 'partly'],
    ['a wrong quantity on the right day', { host: 'api.example.com' }, { since: 12, quantity: 'dns' }, 'partly'],
    ['a wrong quantity and no day', { host: 'api.example.com' }, { quantity: 'dns' }, 'no'],
    ['another host', { host: 'erp.example.com' }, { since: 12 }, 'no'],
    ['a field against each place', { host: 'erp.example.com', type: 'image' }, { since: 12 }, 'no'],
    ['the site where its users sit', { site: 'Madrid' }, { since: 12 }, 'partly'],
    ['a site where few of them sit', { site: 'Vienna' }, { since: 12 }, 'no'],
    ['an engine that everyone has', { engine: 'chromium' }, { since: 12 }, 'no'],
    ['no place at all', {}, { since: 12 }, 'no'],
  ])('%s', (_, place, more, match) => {
    expect(matchOf(finding(place, more), RELEASE)).toBe(match);
  });

  it.each<[string, Place, Partial<GradedFinding>, string]>([
    ['about its minutes', { host: 'erp.example.com', minutes: [15, 25], weekdays: [2, 1] }, {}, 'named'],
    ['other minutes', { host: 'erp.example.com', minutes: [40, 45], weekdays: [1, 2] }, {}, 'no'],
    ['far too many minutes', { host: 'erp.example.com', minutes: [0, 60], weekdays: [1, 2] }, {}, 'partly'],
    ['some of its weekdays', { host: 'erp.example.com', minutes: [15, 20], weekdays: [1] }, {}, 'partly'],
    [
      'a day although it was always there',
      { host: 'erp.example.com', minutes: [15, 20], weekdays: [1, 2] },
      { since: 3 },
      'partly',
    ],
  ])('%s', (_, place, more, match) => {
    expect(matchOf(finding(place, more), ALWAYS)).toBe(match);
  });

  it('says nothing of a field that is null', () => {
    expect(matchOf(finding({ host: 'api.example.com', site: null }, { since: 12 }), RELEASE)).toBe('named');
  });
});

describe('the grade of a fleet', () => {
  it('counts one finding for each cause, further ones as duplicates, and those that fit nothing as false', () => {
    const { causes, findings } = gradeFindings(
      [
        finding({ target: 'erp' }, { since: 12 }),
        finding({ host: 'api.example.com' }, { since: 12 }),
        finding({ site: 'Madrid' }, { since: 12 }),
        finding({ host: 'other.example.com' }),
      ],
      [RELEASE, ALWAYS],
    );
    expect(causes.map(({ match }) => match)).toEqual(['named', 'no']);
    expect(findings.map(({ verdict }) => verdict)).toEqual(['duplicate', 'named', 'duplicate', 'false']);
  });

  it('counts a cause that no finding names in full as seen in part', () => {
    const { causes, findings } = gradeFindings([finding({ host: 'api.example.com' })], [RELEASE]);
    expect(causes[0]?.match).toBe('partly');
    expect(findings[0]).toMatchObject({ verdict: 'partly', rightSubject: true, rightDay: false });
  });

  it.each<[Partial<GradedFinding>, object]>([
    [{ savedShare: 0.13 }, { rightNumber: true, numberAsClaimed: true }],
    [{ savedShare: -0.09 }, { rightNumber: true }],
    [{ savedShare: 0.14 }, { rightNumber: false, numberAsClaimed: false }],
    [
      { savedShare: 0.14, savedInterval: [0.12, 0.2] },
      { rightNumber: false, numberAsClaimed: true },
    ],
    [
      { savedShare: 0.1, savedInterval: [0.2, 0.3] },
      { rightNumber: true, numberAsClaimed: false },
    ],
    [{ savedShare: null }, { rightNumber: false }],
  ])('compares the number with the true cost: %j', (more, grade) => {
    const { findings } = gradeFindings([finding({ host: 'api.example.com' }, { since: 12, ...more })], [RELEASE]);
    expect(findings[0]).toMatchObject(grade);
  });

  it('takes the cost at the place that is named, if that is only a part of it', () => {
    const place = { host: 'api.example.com', template: '/search' };
    const [part] = gradeFindings([finding(place, { since: 12, savedShare: 0.06 })], [RELEASE]).findings;
    expect(part?.rightNumber).toBe(true);
  });

  it('asks for no number where the cause has no cost', () => {
    const { findings } = gradeFindings(
      [finding({ host: 'api.example.com' }, { since: 12 })],
      [{ ...RELEASE, costShare: null }],
    );
    expect(findings[0]).toMatchObject({ verdict: 'named', rightNumber: null, numberAsClaimed: null });
  });

  it('finds everything false in a quiet fleet', () => {
    expect(gradeFindings([finding({ host: 'api.example.com' })], []).findings[0]?.verdict).toBe('false');
    expect(gradeFindings([], [])).toEqual({ causes: [], findings: [] });
  });
});
