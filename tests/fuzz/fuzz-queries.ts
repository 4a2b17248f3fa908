import fc from 'fast-check';
import { FORMATS, REPORT_PERIODS, REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import { makeKey, type Served, startServing, stop } from '../collector/command.ts';
import type { Fuzzer } from './fuzz.ts';
import { ODD_TEXTS, oddText } from './mutations.ts';

/** Nothing that is asked of a nearly empty collector takes longer on a busy machine, ms. */
const PATIENCE_MS = 20_000;

const VALID_TIMES = [
  '0001-01-01T00:00:00Z',
  '1582-10-15T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '2026-02-28T12:00:00+14:00',
  '2026-03-01T00:00:00Z',
  '2026-03-29T02:30:00+01:00',
  '2026-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59Z',
];
const TIMES = [...VALID_TIMES, '2026-02-30T00:00:00Z', 'yesterday'];
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'eUrOpE/bErLiN',
  'Pacific/Apia',
  'Etc/GMT+14',
  'Asia/Kathmandu',
  '+02:00',
  'Mars',
];

/** Of parameters whose schema says only that they are texts. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  from: TIMES,
  to: TIMES,
  beforeFrom: TIMES,
  beforeTo: TIMES,
  zone: ZONES,
  step: ['1s', '1m', '7h', '12h', '1d', '2000d', '99999d', '0d', '1w'],
  by: ['host', 'host,type', 'target,site,scenario', 'host,host', ',', 'browser'],
  include: ['peaks', 'peaks,sharesAbove', ',', 'everything'],
  above: ['200,1000', '0', '-1', '1e9', ','],
  month: ['2026-02', '0001-01', '9999-12', '2026-13'],
  hours: ['Mon-Fri 08:00-18:00', 'Sat,Sun 00:00-24:00', 'Mon 18:00-08:00', 'Mon-Fri'],
  outliers: ['none', 'tukey', 'cap:1', 'cap:9999999', 'cap:'],
  view: REPORT_VIEWS,
  format: FORMATS,
  lang: ['en', 'de', 'tlh'],
  first: ['median', 'average'],
  per: ['connection', 'request'],
  minN: ['1', '1000000', '0', '1.5'],
  stamp: ['true', 'false'],
  period: REPORT_PERIODS,
  host: ['app-0.example.com', '(other)', '(few browsers)'],
  type: ['document', 'fetch', 'sound'],
};
/** Of a report docs/reports.md lists more than openapi.json, since they depend on the view. */
const OF_REPORT = [
  'view',
  'format',
  'lang',
  'zone',
  'stamp',
  'month',
  'hours',
  'outliers',
  'first',
  'per',
  'minN',
  'exact',
];
const COMPARED = ['beforeFrom', 'beforeTo', 'by', 'host', 'type'];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly enum?: readonly string[]; readonly minimum?: number; readonly maximum?: number };
  readonly example?: string;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly ingest: boolean;
}

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly ingest: boolean;
}

/** A collector in a process of its own: one that hangs can be ended, which its own thread could not. */
export interface AskedCollector {
  operations(): Promise<readonly Operation[]>;
  ask(question: Question): Promise<void>;
  end(): Promise<void>;
}

export async function collectorToAsk(folder: string): Promise<AskedCollector> {
  let served: Served | null = await startServing(folder);
  const keys = { admin: served.adminToken ?? '', ingest: (await makeKey(folder, 'ingest')).token };
  const end = async () => {
    const running = served;
    served = null;
    if (running !== null) await stop(running, 'SIGKILL');
  };
  return {
    end,
    async operations() {
      served ??= await startServing(folder);
      const { paths } = (await (await fetch(`${served.url}/openapi.json`)).json()) as {
        paths: Record<string, Record<string, { parameters?: Parameter[]; description?: string }>>;
      };
      return Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { parameters = [], description = '' }]) => ({
          method: method.toUpperCase(),
          path,
          parameters,
          ingest: description.includes('ingest'),
        })),
      );
    },
    async ask({ method, path, query, ingest }) {
      served ??= await startServing(folder);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const headers = { authorization: `Bearer ${ingest ? keys.ingest : keys.admin}` };
      try {
        const response = await fetch(`${served.url}${path}${query.length > 0 ? `?${textOf(query)}` : ''}`, {
          method,
          headers:
            method === 'GET' || method === 'DELETE' ? headers : { ...headers, 'content-type': 'application/json' },
          signal,
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
        });
        const body = await response.text();
        if (response.status >= 500) throw new Error(`answered ${response.status}: ${body.slice(0, 300)}`);
      } catch (error) {
        // What goes on in there would be in the way of the next question.
        if (signal.aborted) await end();
        throw signal.aborted ? new Error(`no answer within ${PATIENCE_MS / 1000} s`) : error;
      }
    },
  };
}

function textOf(query: Question['query']): string {
  return query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

/** Half a character has no encoding: what is sent is what stands in its place. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Questions to every route that openapi.json describes. */
export async function queryFuzzer(collector: AskedCollector): Promise<Fuzzer<Question>> {
  const operations = await collector.operations();
  return {
    name: 'queries',
    // What takes parameters is where there is something to compute, and a report takes most.
    arbitrary: fc
      .oneof(...operations.map((one) => ({ weight: weightOf(one), arbitrary: fc.constant(one) })))
      .chain(questionOf),
    holds: collector.ask,
    toCorpus: (question) => question,
    fromCorpus: (question: Question) => question,
  };
}

function weightOf({ path, parameters }: Operation): number {
  return path.endsWith('/report') ? 15 : parameters.length > 1 ? 4 : 1;
}

/** A range as somebody asks for it, its ends in order. */
const range = fc
  .tuple(fc.constantFrom(...VALID_TIMES), fc.constantFrom(...VALID_TIMES))
  .map((ends) => [...ends].sort((a, b) => Date.parse(a) - Date.parse(b)))
  .map(([from = '', to = '']): Question['query'] => [
    ['from', from],
    ['to', to],
  ]);

function questionOf({ method, path, parameters, ingest }: Operation): fc.Arbitrary<Question> {
  const named = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
  const more = path.endsWith('/report') ? [...OF_REPORT, ...COMPARED] : [];
  const names = [...new Set([...named.keys(), ...more])];
  // Ranges decide how much there is to do: they are asked for more often than one of forty filters.
  const often = names.filter((name) => ['to', 'zone', 'step', 'view', 'hours', 'by'].includes(name));
  const name = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...(often.length > 0 ? often : ODD_TEXTS)) },
    { weight: 8, arbitrary: fc.constantFrom(...(names.length > 0 ? names : ODD_TEXTS)) },
    { weight: 1, arbitrary: oddText },
  );
  const pair = name.chain((one) => fc.tuple(fc.constant(one), valueFor(one, named.get(one))));
  const others = fc.uniqueArray(pair, { maxLength: 4, selector: ([one]) => one });
  const segment = fc.oneof(
    fc.constantFrom('0', '1', '99999999999'),
    oddText.filter((text) => !/^\.{0,2}$/.test(text)),
  );
  const open = path.split(/\{\w+\}/);
  return fc.record({
    method: fc.constant(method),
    path: fc
      .array(segment, { minLength: open.length - 1, maxLength: open.length - 1 })
      .map((segments) =>
        open.map((part, i) => part + (i < segments.length ? encoded(segments[i] ?? '') : '')).join(''),
      ),
    query: fc
      .tuple(names.includes('from') ? fc.oneof(range, fc.constant([])) : fc.constant([]), others)
      .map(([ends, rest]): Question['query'] => [...ends, ...rest]),
    ingest: fc.constant(ingest),
  });
}

function valueFor(name: string, parameter: Parameter | undefined): fc.Arbitrary<string> {
  const { enum: words = [] } = parameter?.schema ?? {};
  const usual = [
    ...(Object.hasOwn(USUAL, name) ? (USUAL[name] ?? []) : []),
    ...words,
    ...(parameter?.example === undefined ? [] : [parameter.example]),
  ];
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...(usual.length > 0 ? usual : ['erp', '100'])) },
    { weight: 1, arbitrary: fc.integer().map(String) },
    { weight: 1, arbitrary: oddText },
  );
}
