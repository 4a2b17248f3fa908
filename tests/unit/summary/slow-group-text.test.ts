import { expect, test } from 'vitest';
import type { SlowGroup, SlowValue } from '../../../collector/analysis/summary/sweep-slow-group.ts';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { ENGLISH_SLOW_GROUP } from '../../../collector/analysis/text/english-slow-group.ts';
import { GERMAN } from '../../../collector/analysis/text/german.ts';
import { GERMAN_SLOW_GROUP } from '../../../collector/analysis/text/german-slow-group.ts';
import { slowGroupText } from '../../../collector/analysis/text/slow-group-text.ts';

const INTERVAL = [0.4, 0.5] as const;
const SEARCH: SlowValue = {
  dimension: 'template',
  value: '/v2/search',
  inside: 0.54,
  outside: 0.09,
  interval: INTERVAL,
};
const MADRID: SlowValue = { dimension: 'site', value: 'Madrid', inside: 0.98, outside: 0, interval: INTERVAL };
const WAIT = { phase: 'wait', inside: 0.92, outside: 0.41, interval: INTERVAL } as const;

const english = (group: Partial<SlowGroup>, ahead = 0) =>
  slowGroupText(groupOf(group), 1000, ENGLISH_SLOW_GROUP, ENGLISH, ahead);
const german = (group: Partial<SlowGroup>, ahead = 0) =>
  slowGroupText(groupOf(group), 1000, GERMAN_SLOW_GROUP, GERMAN, ahead);

function groupOf(group: Partial<SlowGroup>): SlowGroup {
  return { slow: 430, others: 9570, phase: null, values: [], reason: null, notReported: null, ...group };
}

test('the phase and what stands out most, or the two that do', () => {
  expect(english({ phase: WAIT, values: [SEARCH, MADRID] })).toBe(
    'Requests over 1 s spend 92 % of their time waiting for the server (others 41 %); among them, /v2/search is 6 times as frequent as elsewhere (54 % against 9 %).',
  );
  expect(english({ phase: WAIT })).toBe(
    'Requests over 1 s spend 92 % of their time waiting for the server (others 41 %).',
  );
  expect(english({ values: [MADRID, { ...SEARCH, outside: 0.36 }] })).toBe(
    'Among requests over 1 s, site Madrid occurs in 98 % and nowhere else, and /v2/search is 1.5 times as frequent as elsewhere (54 % against 36 %).',
  );
  expect(german({ phase: WAIT, values: [SEARCH] })).toBe(
    'Anfragen über 1 s verbringen 92 % ihrer Zeit mit dem Warten auf den Server (die übrigen 41 %); unter ihnen ist /v2/search 6‑mal so häufig wie sonst (54 % gegenüber 9 %).',
  );
  expect(german({ values: [MADRID, SEARCH] })).toBe(
    'Unter den Anfragen über 1 s ist der Standort Madrid mit 98 % und sonst nie vertreten und /v2/search 6‑mal so häufig wie sonst (54 % gegenüber 9 %).',
  );
});

test('how many times as frequent is said in two digits', () => {
  expect(english({ values: [{ ...SEARCH, inside: 0.917, outside: 0.001 }] })).toContain('is 920 times as frequent');
  expect(german({ values: [{ ...SEARCH, inside: 0.917, outside: 0.001 }] })).toContain('920‑mal so häufig');
});

test('a lost packet is not said twice', () => {
  const lost: SlowValue = { ...SEARCH, dimension: 'retransmission', value: 'tcp_1s' };
  expect(english({ phase: { ...WAIT, phase: 'tcp' }, values: [lost] })).toBe(
    'Among requests over 1 s, a connect repeated after 1 s is 6 times as frequent as elsewhere (54 % against 9 %).',
  );
});

test('hours are those of the reader', () => {
  const hour: SlowValue = { ...SEARCH, dimension: 'hourOfWeek', value: '23' };
  expect(english({ values: [hour] })).toContain(', Monday from 23:00 to 0:00 is');
  expect(english({ values: [hour] }, 60)).toContain(', Tuesday from 0:00 to 1:00 is');
  expect(german({ values: [{ ...hour, value: '0' }] }, -90)).toContain('ist Sonntag von 22:30 bis 23:30 Uhr 6‑mal');
  expect(german({ values: [{ ...hour, dimension: 'hourOfDay', value: '9' }] }, 120)).toContain(
    'die Stunde von 11:00 bis 12:00 Uhr',
  );
});

test('every kind of value has its noun, reported or not', () => {
  const nouns = (dimension: SlowValue['dimension'], value: string | null) =>
    [english({ values: [{ ...SEARCH, dimension, value }] }), german({ values: [{ ...SEARCH, dimension, value }] })].map(
      (text) => /(?:s, | ist )(.*?) (?:is )?6(?: times|\u2011mal)/.exec(text ?? '')?.[1],
    );
  expect(nouns('type', 'fetch')).toEqual(['the type “data requests”', 'der Typ „Datenabfragen“']);
  expect(nouns('client', 'c0ffee00-0000-4000')).toEqual(['the browser c0ffee00', 'der Browser c0ffee00']);
  expect(nouns('browser', 'firefox')).toEqual(['Firefox', 'Firefox']);
  expect(nouns('connection', 'new')).toEqual(['a new connection', 'eine neue Verbindung']);
  expect(nouns('protocol', 'http/1.1')).toEqual(['http/1.1', 'http/1.1']);
  expect(nouns('status', '304')).toEqual(['status 304', 'Status 304']);
  expect(nouns('size', String(2 ** 21))).toEqual(['a body of about 2 MB', 'ein Inhalt von etwa 2 MB']);
  expect(nouns('size', '65536')).toEqual(['a body of about 64 KB', 'ein Inhalt von etwa 64 KB']);
  expect(nouns('retransmission', 'dns_5s')).toEqual([
    'a lookup repeated after 5 s',
    'eine Namensauflösung mit Wiederholung nach 5 s',
  ]);
  expect(nouns('site', null)).toEqual(['no site', 'ein fehlender Standort']);
  expect(nouns('protocol', null)).toEqual(['an unreported protocol', 'ein nicht gemeldetes Protokoll']);
});

test('nothing to name is said, an empty group is not', () => {
  expect(english({ slow: 0, reason: 'none' })).toBeNull();
  expect(english({ slow: 12, reason: 'few_slow' })).toBe(
    'Only 12 requests take over 1 s: too few to say what they have in common.',
  );
  expect(german({ slow: 1, reason: 'few_slow' })).toBe(
    'Nur 1 Anfrage dauert über 1 s: zu wenige, um zu sagen, was sie gemeinsam haben.',
  );
  expect(english({ reason: 'nothing_stands_out' })).toMatch(/^Nothing stands out/);
  expect(german({ reason: 'few_browsers' })).toMatch(/zu wenige Browser betrifft\.$/);
});
