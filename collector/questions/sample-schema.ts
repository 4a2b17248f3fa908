import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { StoredSample } from '../../shared/sample/sample.ts';
import { PHASES, TIME_NAMES, type TimeName } from '../../shared/vocabulary/time-names.ts';
import { type AnswerOf, Count, each, Milliseconds, Moment, object, orNull } from '../analysis/answer-schema.ts';

const MaybeText = orNull(Type.String());
const MaybeMs = orNull(Milliseconds);
const MaybeCount = orNull(Count);

/** The random number of the browser and the ingest key are in no answer about samples. */
export const SAMPLE = {
  /** For `GET /api/v1/page-view`; null for viewers. */
  id: MaybeText,
  /** Start of the request, by the collector's clock. */
  at: Moment,
  target: Type.String(),
  host: Type.String(),
  scheme: Type.String(),
  template: Type.String(),
  type: Type.String(),
  source: Type.String(),
  site: MaybeText,
  browser: Type.String(),
  browserVersion: MaybeText,
  connection: Type.String(),
  handshake: MaybeText,
  protocol: MaybeText,
  status: MaybeCount,
  /** The browser's error code. */
  error: MaybeText,
  /** Why it counts for no time; null if it counts. */
  excluded: MaybeText,
  phases: each(PHASES, MaybeMs),
  /** Before the request; part of neither total. */
  redirect: MaybeMs,
  ttfb: MaybeMs,
  ttlb: MaybeMs,
  /** Why times are null. */
  unknown: orNull(Type.Record(Type.String(), Type.String())),
  /** Bytes. */
  transferSize: MaybeCount,
  encodedBodySize: MaybeCount,
  decodedBodySize: MaybeCount,
  /** Milliseconds since this browser's last response from the same origin. */
  idleMs: MaybeCount,
  /** Id of the journey that made it, and the number of its step from 1; null for any other request. */
  journey: MaybeText,
  step: MaybeCount,
};
const SampleSchema = object(SAMPLE);
export type SampleDocument = AnswerOf<typeof SampleSchema>;

/**
 * Null for viewers, as in an export: each may be constant for one browser and so set its samples apart, such as the size of
 * a page that greets its user by name.
 */
export const WITHHELD = [
  'id',
  'browserVersion',
  'handshake',
  'error',
  'unknown',
  'transferSize',
  'encodedBodySize',
  'decodedBodySize',
  'idleMs',
] as const satisfies readonly (keyof SampleDocument)[];
const NOTHING = Object.fromEntries(WITHHELD.map((name) => [name, null])) as Record<(typeof WITHHELD)[number], null>;

/** @param nameBrowsers whether the recipient may see individual browsers */
export function sampleDocument(sample: StoredSample, nameBrowsers: boolean): SampleDocument {
  const { origin, times } = sample;
  const ms = (name: TimeName) => (times[name] === null ? null : times[name] / 1000);
  return {
    id: sampleId(sample),
    at: new Date(sample.at).toISOString(),
    target: sample.target,
    host: sample.host,
    scheme: sample.scheme,
    template: sample.template,
    type: sample.type,
    source: sample.source,
    site: origin.site || null,
    browser: origin.browser,
    browserVersion: origin.browserVersion,
    connection: sample.connection,
    handshake: sample.handshake,
    protocol: sample.protocol,
    status: sample.status,
    error: sample.error,
    excluded: sample.excluded,
    phases: Object.fromEntries(PHASES.map((name) => [name, ms(name)])) as SampleDocument['phases'],
    redirect: ms('redirect'),
    ttfb: ms('ttfb'),
    ttlb: ms('ttlb'),
    unknown: sample.unknown as Readonly<Record<string, string>>,
    transferSize: sample.transferSize,
    encodedBodySize: sample.encodedBodySize,
    decodedBodySize: sample.decodedBodySize,
    idleMs: sample.idleMs,
    journey: sample.journey ?? null,
    step: sample.step ?? null,
    ...(nameBrowsers ? {} : NOTHING),
  };
}

/** Base64url of 16 bytes. */
const DIGEST = /^([0-9a-z]{1,10})-[A-Za-z0-9_-]{22}$/;

/**
 * Identifies a sample without saying whose it is: its time, to find it by, and a digest. Two samples of one browser have
 * nothing in common in it, and the browser's random number can't be guessed from it.
 */
export function sampleId(sample: StoredSample): string {
  const { at, origin, target, host, scheme, template, type, source, status, transferSize, times } = sample;
  const facts = [origin.client, at, target, host, scheme, template, type, source, status, transferSize];
  const text = JSON.stringify([...facts, ...TIME_NAMES.map((name) => times[name])]);
  const digest = createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
  return `${at.toString(36)}-${digest}`;
}

/** Epoch ms of the sample with this id; null if it is no id. */
export function timeOfId(id: string): number | null {
  const [, at] = DIGEST.exec(id) ?? [];
  const time = at === undefined ? Number.NaN : Number.parseInt(at, 36);
  return time <= MAX_TIME ? time : null;
}

/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
const MAX_TIME = 8.64e15;
