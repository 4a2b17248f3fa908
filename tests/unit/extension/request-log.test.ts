import { beforeEach, expect, test } from 'vitest';
import { RequestLog } from '../../../extension/background/request-log.ts';

const PLACE = { tab: 1, frame: 0, url: 'https://app.test/a' };
const SPAN = { start: 1_000, end: 1_400, answered: true };
let log: RequestLog;

beforeEach(() => {
  log = new RequestLog();
});

function request(id: string, sentAt: number, headersAt: number, place = PLACE): void {
  log.sent(id, place, sentAt);
  log.answered(id, headersAt);
}

test('matches the one request of that place and time, once', () => {
  request('1', 1_010, 1_390);
  expect(log.match(PLACE, SPAN)).toMatchObject({ observed: { sentAt: 1_010, headersReceivedAt: 1_390, redirects: 0 } });
  expect(log.match(PLACE, SPAN).observed).toBeNull();
});

test('matches nothing when two could be meant', () => {
  request('1', 1_010, 1_200);
  request('2', 1_020, 1_390);
  expect(log.match(PLACE, SPAN).observed).toBeNull();
});

test.each([
  ['another tab', { ...PLACE, tab: 2 }],
  ['another frame', { ...PLACE, frame: 3 }],
  ['another query', { ...PLACE, url: 'https://app.test/a?b' }],
])('does not match %s', (_, place) => {
  request('1', 1_010, 1_390, place);
  expect(log.match(PLACE, SPAN).observed).toBeNull();
});

test.each([
  ['before', 980, 1_200],
  ['after', 1_100, 1_460],
])('does not match what was %s the entry', (_, sentAt, headersAt) => {
  request('1', sentAt, headersAt);
  expect(log.match(PLACE, SPAN).observed).toBeNull();
});

test('ignores the fragment, which no request has', () => {
  request('1', 1_010, 1_390);
  expect(log.match({ ...PLACE, url: `${PLACE.url}#part` }, SPAN).observed).not.toBeNull();
});

test('a redirect is found under the first address and the last, with the last answer', () => {
  request('1', 1_010, 1_050);
  log.redirected('1');
  request('1', 1_060, 1_200, { ...PLACE, url: 'https://app.test/b' });
  const found = log.match(PLACE, SPAN);
  expect(found.observed).toMatchObject({ sentAt: 1_060, headersReceivedAt: 1_200, redirects: 1 });
});

test('gives the error of a failed request', () => {
  log.sent('1', PLACE, 1_010);
  log.failed('1', PLACE, 1_100, 'net::ERR_CONNECTION_RESET');
  expect(log.match(PLACE, SPAN)).toEqual({ observed: null, error: 'net::ERR_CONNECTION_RESET' });
});

test('of several failures the first is taken, and none where one of them had an answer', () => {
  const unanswered = { ...SPAN, answered: false };
  log.failed('1', PLACE, 1_390, 'net::ERR_CONNECTION_RESET');
  log.failed('2', PLACE, 2_390, 'net::ERR_EMPTY_RESPONSE');
  log.failed('3', PLACE, 3_390, 'net::ERR_EMPTY_RESPONSE');
  expect(log.match(PLACE, unanswered).error).toBe('net::ERR_CONNECTION_RESET');
  request('4', 1_010, 1_390);
  expect(log.match(PLACE, unanswered)).toEqual({ observed: null, error: null });
});

test('a failure may be told late, but not to an entry that had its answer by then', () => {
  const late = () => log.failed('1', PLACE, 6_300, 'net::ERR_CONNECTION_RESET');
  late();
  expect(log.match(PLACE, SPAN).error).toBeNull();
  expect(log.match(PLACE, { ...SPAN, answered: false }).error).toBe('net::ERR_CONNECTION_RESET');
});

test('forgets after two minutes', () => {
  request('1', 1_010, 1_390);
  request('2', 200_000, 200_100, { ...PLACE, url: 'https://app.test/z' });
  expect(log.match(PLACE, SPAN).observed).toBeNull();
});

test('says of a failure when it began and whether it had its answer', () => {
  log.started('1', 1_000);
  log.sent('1', PLACE, 1_010);
  expect(log.failed('1', PLACE, 1_100, 'net::ERR_CONNECTION_RESET')).toEqual({ startedAt: 1_000, answered: false });
  log.started('2', 1_000);
  request('2', 1_010, 1_050);
  expect(log.failed('2', PLACE, 1_100, 'net::ERR_ABORTED')).toEqual({ startedAt: 1_000, answered: true });
  expect(log.failed('3', PLACE, 1_100, 'net::ERR_ABORTED')).toEqual({ startedAt: null, answered: false });
});

test('the answer of a redirect is not that of the request it leads to', () => {
  log.started('1', 1_000);
  request('1', 1_010, 1_050);
  log.redirected('1');
  expect(log.failed('1', PLACE, 1_100, 'net::ERR_CONNECTION_RESET')).toEqual({ startedAt: 1_000, answered: false });
});

test('where the frame is not known any more, the address and the time must be enough', () => {
  const unknown = { tab: null, url: `${PLACE.url}#part` };
  request('1', 1_010, 1_390);
  request('2', 1_010, 1_390, { ...PLACE, url: 'https://app.test/b' });
  expect(log.match(unknown, SPAN).observed).not.toBeNull();
  request('3', 1_010, 1_390);
  request('4', 1_010, 1_390, { ...PLACE, tab: 2 });
  expect(log.match(unknown, SPAN).observed).toBeNull();
});

test('a challenge is found by place and time, and as often as it is asked for', () => {
  log.challenged(PLACE, 1_200);
  expect(log.wasChallenged(PLACE, SPAN)).toBe(true);
  expect(log.wasChallenged({ tab: null, url: PLACE.url }, SPAN)).toBe(true);
  expect(log.wasChallenged({ ...PLACE, tab: 2 }, SPAN)).toBe(false);
  expect(log.wasChallenged(PLACE, { ...SPAN, start: 1_300 })).toBe(false);
  expect(log.wasChallenged(PLACE, { ...SPAN, end: 1_100 })).toBe(false);
});
