import { describe, expect, it } from 'vitest';
import type { WhatIfDocument, WordedSaving } from '../../collector/questions/what-if.ts';
import { testApp } from '../collector/test-app.ts';
import { basePlan } from '../fleets/base-plan.ts';
import { endOf, fillFleet, toSource } from '../fleets/fill-fleet.ts';
import type { FleetPlan, HostPlan } from '../fleets/plan.ts';
import { savedByCure } from '../fleets/saved-by-cure.ts';

/*
 * Predicts from one recording, applies the remedy, and records the same users again: every page view draws the same numbers in
 * both fleets, so that what came of it is known to a request.
 */

const SEEDS = [1, 2, 3, 4];
const LONG = { timeout: 240_000 };
/** HTTP/1.1, TLS 1.2, and says which sessions it resumed. */
const OLD = 'tickets.example.com';
/** HTTP/2. */
const MODERN = 'erp.example.com';
const SITE = 'Frankfurt';

function planOf(seed: number): FleetPlan {
  return basePlan({
    name: 'what-if',
    seed,
    from: Date.UTC(2026, 8, 7),
    days: 14,
    samples: 24_000,
    browsers: 60,
    apps: 3,
    variety: 0.3,
  });
}

function onHost(plan: FleetPlan, name: string, change: Partial<HostPlan>): FleetPlan {
  return { ...plan, hosts: plan.hosts.map((host) => (host.name === name ? { ...host, ...change } : host)) };
}

function atDistance(plan: FleetPlan, rttMs: FleetPlan['sites'][number]['rttMs']): FleetPlan {
  return { ...plan, sites: plan.sites.map((site) => (site.name === SITE ? { ...site, rttMs } : site)) };
}

async function record(plan: FleetPlan): Promise<(filters: string) => Promise<WhatIfDocument>> {
  const app = await testApp();
  await fillFleet(app.store, toSource(plan), () => {});
  const range = `from=${new Date(plan.from).toISOString()}&to=${new Date(endOf(plan)).toISOString()}`;
  return async (filters) => {
    const answer = await app.send({ url: `/api/v1/what-if?${range}&${filters}`, as: 'admin' });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };
}

function find(document: WhatIfDocument, is: Partial<WordedSaving>): WordedSaving {
  const found = document.savings.find((saving) =>
    Object.entries(is).every(([name, value]) => saving[name as keyof WordedSaving] === value),
  );
  if (found === undefined) throw new Error(`No saving is ${JSON.stringify(is)}.`);
  return found;
}

/** @param cameMs per request */
function expectInside({ savedInterval, text }: WordedSaving, cameMs: number, requests: number): void {
  const [low, high] = (savedInterval ?? []).map((ms) => ms / requests);
  const what = `${text.title}: ${cameMs} within ${low} to ${high}`;
  expect([what, low !== undefined && low <= cameMs && cameMs <= (high as number)]).toEqual([what, true]);
}

describe.each(SEEDS)('what was predicted comes, in fleet %i', (seed) => {
  it.each([
    [OLD, 5],
    [OLD, 60],
    [MODERN, 5],
  ])('of %s with a timeout of %i s: another one', LONG, async (host, now) => {
    const plan = onHost(planOf(seed), host, { keepAliveMs: now * 1000 });
    const predicted = await (await record(plan))(`host=${host}`);
    for (const seconds of [5, 60, 120].filter((one) => one !== now)) {
      const saving = find(predicted, { remedy: 'keep_alive', seconds });
      const cured = onHost(plan, host, { keepAliveMs: seconds * 1000 });
      expectInside(saving, savedByCure(plan, cured, { cause: 'nothing', host }), predicted.requests);
      const { connections } = find(await (await record(cured))(`host=${host}`), { remedy: 'keep_alive' }).facts;
      // To a few that depend on what is not among the samples, such as failed requests.
      expect((saving.facts.connectionsAfter as number) / (connections as number)).toBeCloseTo(1, 1);
    }
  });

  const few = { keepAliveMs: 15_000, handshakeMs: 45, tickets: false } as const;
  it.each<[what: string, remedy: WordedSaving['remedy'], now: Partial<HostPlan>, then: Partial<HostPlan>]>([
    ['session tickets', 'session_tickets', few, { ...few, tickets: true }],
    ['TLS 1.3', 'tls_13', { ...few, handshakeMs: 2.5 }, { ...few, handshakeMs: 2.5, tls: '1.3' }],
    ['HTTP/2', 'http2', {}, { protocol: 'h2' }],
  ])('of %s', LONG, async (_, remedy, now, then) => {
    const plan = onHost(planOf(seed), OLD, now);
    const predicted = await (await record(plan))(`host=${OLD}`);
    const saving = find(predicted, { remedy });
    const came = savedByCure(plan, onHost(planOf(seed), OLD, then), { cause: 'nothing', host: OLD });
    expect(saving.savedMs).toBeGreaterThan(0);
    expectInside(saving, came, predicted.requests);
  });

  it('of a site at the distance of another', LONG, async () => {
    const plan = atDistance(planOf(seed), { centre: 145, cdn: 18, outside: 120 });
    const ask = await record(plan);
    const saving = find(await ask(''), { remedy: 'nearer_site', site: SITE });
    const nearer = plan.sites.find(({ name }) => name === saving.nearSite);
    if (nearer === undefined) throw new Error(`No site is called ${saving.nearSite}.`);
    const came = savedByCure(plan, atDistance(plan, nearer.rttMs), { cause: 'nothing', site: SITE });
    expectInside(saving, came, (await ask(`site=${SITE}`)).requests);
  });

  it('of Timing-Allow-Origin', LONG, async () => {
    const hidden = planOf(seed);
    const opaque = find(await (await record(hidden))(''), { remedy: 'timing_allowed' });
    const allowed = { ...hidden, hosts: hidden.hosts.map((host) => ({ ...host, timingAllowed: true })) };
    const after = find(await (await record(allowed))(''), { remedy: 'timing_allowed' });
    expect(opaque.affectedRequests).toBeGreaterThan(100);
    expect(after).toMatchObject({ affectedRequests: 0, text: { saves: 'Nothing is hidden.' } });
  });
});
