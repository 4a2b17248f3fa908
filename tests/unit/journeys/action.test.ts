import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followAction, LIMIT_MS, type PageLoad, type PageRequest, QUIET_MS } from '../../../shared/journeys/action.ts';

function request(id: string, startedAt: number, finishedAt: number | null, other: Partial<PageRequest> = {}) {
  return { id, startedAt, finishedAt, address: `GET /${id}`, holds: true, byScript: true, ...other };
}
const ids = (requests: readonly PageRequest[]) => requests.map(({ id }) => id);
const follow = (requests: readonly PageRequest[], now: number, loads: readonly PageLoad[] = [], begunAt = 1000) =>
  followAction({ requests, loads }, begunAt, now);

describe('followAction', () => {
  it('ends with the last byte of the last request that the event caused, not with the quiet time after it', () => {
    const requests = [request('a', 1010, 1200), request('b', 1250, 1400)];
    expect(follow(requests, 1400 + QUIET_MS)).toMatchObject({ state: 'settled', endedAt: 1400, requests });
    expect(follow(requests, 1400 + QUIET_MS - 1)).toMatchObject({ state: 'open', endedAt: null });
  });

  it('has no end without a request: unknown, not 0', () => {
    expect(follow([], 1000 + QUIET_MS)).toMatchObject({ state: 'settled', endedAt: null, requests: [] });
  });

  it('leaves out what began before the event, and what begins after the page has settled', () => {
    const action = follow(
      [
        request('before', 900, 1900, { address: 'GET /report' }),
        request('mine', 1000, 1100),
        request('late', 1700, 1800),
      ],
      5000,
    );
    expect([action.endedAt, ids(action.requests)]).toEqual([1100, ['mine']]);
  });

  it('waits while a document loads, although nothing is in flight', () => {
    const requests = [request('page', 1005, 1100, { byScript: false }), request('late', 2600, 2700)];
    expect(follow(requests, 2000, [{ startedAt: 1005, loadedAt: null }]).state).toBe('open');
    expect(follow(requests, 4000, [{ startedAt: 1005, loadedAt: 2200 }]).endedAt).toBe(2700);
  });

  it('is not held open by a WebSocket, an EventSource or a beacon, and counts them', () => {
    const stream = request('stream', 1010, null, { holds: false });
    const action = follow([stream, request('a', 1020, 1080)], 1080 + QUIET_MS);
    expect([action.state, action.endedAt, ids(action.requests)]).toEqual(['settled', 1080, ['stream', 'a']]);
  });

  it('knows a poll by the address that was being asked when the event happened', () => {
    const polls = [
      request('poll', 400, 1030, { address: 'GET /events' }),
      request('poll2', 1031, null, { address: 'GET /events' }),
    ];
    const action = follow([...polls, request('a', 1020, 1080)], 1080 + QUIET_MS);
    expect([action.endedAt, ids(action.requests), ids(action.polls)]).toEqual([1080, ['a'], ['poll2']]);
  });

  it('takes what is in flight at the limit for a poll if something else remains', () => {
    const requests = [request('page', 1001, 1300, { byScript: false }), request('poll', 1310, null)];
    expect(follow(requests, 1000 + LIMIT_MS - 1).state).toBe('open');
    const action = follow(requests, 1000 + LIMIT_MS);
    expect([action.state, action.endedAt, ids(action.polls)]).toEqual(['settled', 1300, ['poll']]);
  });

  it('takes an address that is asked again and again for a poll', () => {
    const ticks = Array.from({ length: 400 }, (_, i) =>
      request(`t${i}`, 1100 + i * 100, 1150 + i * 100, { address: 'GET /tick' }),
    );
    const action = follow([request('a', 1001, 1090), ...ticks], 1000 + LIMIT_MS);
    expect([action.state, action.endedAt, ids(action.requests)]).toEqual(['settled', 1090, ['a']]);
  });

  it('has no end if its only answer has not come within the limit, or a document never loads', () => {
    const slow = follow([request('report', 1001, null)], 1000 + LIMIT_MS);
    expect([slow.state, slow.endedAt, ids(slow.pending)]).toEqual(['unsettled', null, ['report']]);
    const page = follow([request('a', 1001, 1090), request('css', 1100, null, { byScript: false })], 1000 + LIMIT_MS);
    expect([page.state, ids(page.pending)]).toEqual(['unsettled', ['css']]);
    const loading = follow([request('a', 1001, 1090)], 1000 + LIMIT_MS, [{ startedAt: 1001, loadedAt: null }]);
    expect(loading.state).toBe('unsettled');
  });

  const requests = fc.array(
    fc.record({
      id: fc.uuid(),
      startedAt: fc.integer({ min: 0, max: 40_000 }),
      took: fc.option(fc.integer({ min: 0, max: 5000 })),
      address: fc.constantFrom('GET /a', 'GET /b', 'POST /c'),
      holds: fc.boolean(),
      byScript: fc.boolean(),
    }),
    { maxLength: 30 },
  );
  const finished = (list: { startedAt: number; took: number | null }[], now = Number.POSITIVE_INFINITY) =>
    list
      .filter(({ startedAt }) => startedAt <= now)
      .map(({ startedAt, took, ...rest }) => {
        const at = took === null ? null : startedAt + took;
        return { ...rest, startedAt, finishedAt: at !== null && at <= now ? at : null } as PageRequest;
      });
  const moments = fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 60_000 }));

  it('gives the same answer later, once it is over', () => {
    fc.assert(
      fc.property(requests, moments, (list, [one, other]) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        const first = follow(finished(list, early), early);
        if (first.state === 'open') return;
        const second = follow(finished(list, late), late);
        expect([second.state, second.endedAt]).toEqual([first.state, first.endedAt]);
        expect(ids(second.requests)).toEqual(ids(first.requests));
      }),
    );
  });

  it('is over by its limit, and ends within it, after its event', () => {
    fc.assert(
      fc.property(requests, (list) => {
        const { state, endedAt } = follow(finished(list), 1000 + LIMIT_MS);
        expect(state).not.toBe('open');
        if (endedAt === null) return;
        expect(endedAt).toBeGreaterThanOrEqual(1000);
        expect(endedAt).toBeLessThanOrEqual(1000 + LIMIT_MS);
      }),
    );
  });

  it('never counts a request that began before its event', () => {
    fc.assert(
      fc.property(requests, (list) => {
        const { requests: caused, polls } = follow(finished(list), 90_000);
        expect([...caused, ...polls].filter(({ startedAt }) => startedAt < 1000)).toEqual([]);
      }),
    );
  });
});
