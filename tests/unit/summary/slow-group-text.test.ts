import { expect, test } from 'vitest';
import type { SlowGroup, SlowValue } from '../../../collector/analysis/summary/summary-document.ts';
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

test('the phase and what most slow requests share', () => {
  expect(english({ phase: WAIT, values: [SEARCH] })).toBe(
    'Requests over 1 s spend 92 % of their time waiting for the server (others: 41 %). 54 % of them are for /v2/search; 9 % of the others.',
  );
  expect(english({ phase: WAIT })).toBe(
    'Requests over 1 s spend 92 % of their time waiting for the server (others: 41 %).',
  );
  expect(english({ values: [MADRID, { ...SEARCH, outside: 0.36 }] })).toBe(
    '98 % of the requests over 1 s come from site Madrid; none of the others. 54 % of them are for /v2/search; 36 % of the others.',
  );
  expect(german({ phase: WAIT, values: [SEARCH] })).toBe(
    'Anfragen über 1 s verbringen 92 % ihrer Zeit mit dem Warten auf den Server (die übrigen 41 %). 54 % von ihnen gelten /v2/search, von den übrigen 9 %.',
  );
  expect(german({ values: [MADRID, SEARCH] })).toBe(
    '98 % der Anfragen über 1 s kommen vom Standort Madrid, von den übrigen keine. 54 % von ihnen gelten /v2/search, von den übrigen 9 %.',
  );
});

test('a rare value is said as its shares, not as how many times as frequent it is', () => {
  const rare = {
    ...SEARCH,
    dimension: 'host',
    value: 'reports.contoso.example',
    inside: 0.47,
    outside: 0.002,
  } as const;
  expect(english({ values: [rare] })).toBe(
    '47 % of the requests over 1 s go to reports.contoso.example; <1 % of the others.',
  );
  expect(german({ values: [rare] })).toBe(
    '47 % der Anfragen über 1 s gehen an reports.contoso.example, von den übrigen <1 %.',
  );
});

test('a lost packet is not said twice', () => {
  const lost: SlowValue = { ...SEARCH, dimension: 'retransmission', value: 'tcp_1s' };
  expect(english({ phase: { ...WAIT, phase: 'tcp' }, values: [lost] })).toBe(
    '54 % of the requests over 1 s had to repeat the connect after 1 s; 9 % of the others.',
  );
});

test('hours are those of the reader', () => {
  const hour: SlowValue = { ...SEARCH, dimension: 'hourOfWeek', value: '23' };
  expect(english({ values: [hour] })).toContain('fall on Monday between 23:00 and 0:00;');
  expect(english({ values: [hour] }, 60)).toContain('fall on Tuesday between 0:00 and 1:00;');
  expect(german({ values: [{ ...hour, value: '0' }] }, -90)).toContain('fallen auf Sonntag, 22:30 bis 23:30 Uhr, ');
  expect(german({ values: [{ ...hour, dimension: 'hourOfDay', value: '9' }] }, 120)).toContain(
    'fallen in die Zeit von 11:00 bis 12:00 Uhr',
  );
});

test('every kind of value has its verb, reported or not', () => {
  const said = (dimension: SlowValue['dimension'], value: string | null) =>
    [english({ values: [{ ...SEARCH, dimension, value }] }), german({ values: [{ ...SEARCH, dimension, value }] })].map(
      (text) => /1 s (.*?)(?:; 9 %|, von den)/.exec(text ?? '')?.[1],
    );
  expect(said('host', 'xn--mller-kva.example')[0]).toBe('go to müller.example');
  expect(said('type', 'fetch')).toEqual(['are data requests', 'sind Datenabfragen']);
  expect(said('client', 'c0ffee00-0000-4000')).toEqual([
    'come from the browser c0ffee00',
    'kommen vom Browser c0ffee00',
  ]);
  expect(said('browser', 'firefox')).toEqual(['come from Firefox', 'kommen von Firefox']);
  expect(said('connection', 'new')).toEqual(['use a new connection', 'nutzen eine neue Verbindung']);
  expect(said('protocol', 'http/1.1')).toEqual(['use http/1.1', 'nutzen http/1.1']);
  expect(said('status', '304')).toEqual(['are answered with status 304', 'erhielten Status 304']);
  expect(said('size', String(2 ** 21))).toEqual(['have a body of about 2 MB', 'haben einen Inhalt von etwa 2 MB']);
  expect(said('size', '65536')).toEqual(['have a body of about 64 KB', 'haben einen Inhalt von etwa 64 KB']);
  expect(said('retransmission', 'dns_5s')).toEqual([
    'had to repeat the lookup after 5 s',
    'mussten die Namensauflösung nach 5 s wiederholen',
  ]);
  expect(said('site', null)).toEqual(['come from browsers without a site', 'kommen von Browsern ohne Standort']);
  expect(said('protocol', null)).toEqual(['do not report their protocol', 'melden kein Protokoll']);
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
