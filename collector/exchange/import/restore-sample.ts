import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ClientInfo, Sample } from '../../../shared/sample/sample.ts';
import { isSiteLabel } from '../../../shared/vocabulary/client-fields.ts';
import { orNull } from '../../../shared/vocabulary/json-schema.ts';
import { TIME_NAMES, type TimeName } from '../../../shared/vocabulary/time-names.ts';
import { BROWSERS } from '../../../shared/vocabulary/vocabulary.ts';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { OTHER_HOST } from '../own-har.ts';
import { isObject, type Json, numberAt, objectAt } from './har-values.ts';

const Text = Type.String();
const TextOrNull = orNull(Text);
const NumberOrNull = orNull(Type.Number());

/** Types alone: the store checks words and ranges. Columns that viewers do not get are optional. */
const OwnFields = Type.Object({
  type: Text,
  connection: Text,
  connectionEvidence: Type.Optional(Text),
  handshake: Type.Optional(Text),
  handshakeEvidence: Type.Optional(TextOrNull),
  excluded: TextOrNull,
  error: Type.Optional(TextOrNull),
  unknown: Type.Optional(Type.Record(Text, Text)),
  responseMark: Type.Optional(TextOrNull),
  idleMs: Type.Optional(NumberOrNull),
  metrics: Type.Optional(Type.Record(Text, Type.Number())),
  serverTime: NumberOrNull,
  tls: Type.Optional(orNull(allOf(['version', 'cipher', 'keyExchange', 'issuer'], TextOrNull))),
  transferSize: Type.Optional(NumberOrNull),
  encodedBodySize: Type.Optional(NumberOrNull),
  decodedBodySize: Type.Optional(NumberOrNull),
  times: allOf(TIME_NAMES, NumberOrNull),
  journey: Type.Optional(TextOrNull),
  step: Type.Optional(NumberOrNull),
  run: Type.Optional(NumberOrNull),
  site: Type.Optional(Text),
  client: Type.Optional(Text),
  browser: Type.Optional(Type.Union(BROWSERS.map((browser) => Type.Literal(browser)))),
  browserVersion: Type.Optional(Type.String({ pattern: '^[\\w.+-]{0,64}$' })),
});
export type OwnFields = Static<typeof OwnFields>;

function allOf<N extends string, S extends TSchema>(names: readonly N[], schema: S): TObject<Record<N, S>> {
  return Type.Object(Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>);
}

/** What Lastbyte exported with an entry beside the fields of HAR; null in exports of older versions. */
export function ownFields(entry: unknown): OwnFields | null {
  const fields = isObject(entry) ? entry._lastbyte : null;
  return Value.Check(OwnFields, fields) ? fields : null;
}

/** The sample that was exported, except for its source, and for what its recipient was not allowed to see. */
export function restoreSample(sample: Sample, own: OwnFields, entry: Json): Sample {
  const times = Object.fromEntries(TIME_NAMES.map((name) => [name, microseconds(own.times[name])]));
  const status = numberAt(objectAt(entry, 'response'), 'status');
  const { pathname } = new URL(String(objectAt(entry, 'request').url));
  return {
    ...sample,
    host: sample.host === OTHER_HOST ? OVERFLOW_NAME : sample.host,
    template: pathname === `/${OVERFLOW_NAME}` ? OVERFLOW_NAME : sample.template,
    // The collector's own finding, which no sender may state.
    type: own.type === 'long_lived' ? 'fetch' : own.type,
    connection: own.connection,
    connectionEvidence: own.connectionEvidence ?? OVERFLOW_NAME,
    handshake: own.handshake ?? 'unknown',
    handshakeEvidence: own.handshakeEvidence ?? null,
    excluded: own.excluded,
    status: status === 0 ? null : status,
    error: own.error ?? null,
    times,
    unknown: own.unknown ?? unrecorded(own.times),
    responseMark: own.responseMark ?? 'response_start',
    transferSize: own.transferSize ?? null,
    encodedBodySize: own.encodedBodySize ?? null,
    decodedBodySize: own.decodedBodySize ?? null,
    idleMs: own.idleMs ?? null,
    serverTime: microseconds(own.serverTime),
    metrics: own.metrics ?? {},
    tls: own.tls ?? null,
    ...(own.journey == null ? {} : { journey: own.journey, step: own.step ?? null, run: own.run ?? null }),
  } as Sample;
}

function microseconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds * 1000);
}

function unrecorded(times: OwnFields['times']): Sample['unknown'] {
  const names: readonly TimeName[] = TIME_NAMES.filter((name) => times[name] === null);
  return Object.fromEntries(names.map((name) => [name, 'not_recorded']));
}

/** The browser of an exported sample, where its recipient was told. */
export function restoreOrigin(file: ClientInfo, own: OwnFields, clientOf: (client: string) => string): ClientInfo {
  return {
    ...file,
    client: own.client === undefined ? file.client : clientOf(own.client),
    site: file.site === '' && own.site !== undefined && isSiteLabel(own.site) ? own.site : file.site,
    browser: own.browser ?? file.browser,
    browserVersion: own.browserVersion ?? file.browserVersion,
  };
}
