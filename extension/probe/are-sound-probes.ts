import { MAX_REQUESTS_PER_HOUR } from '../../shared/probes/probe-budget.ts';
import { hasCredentials, parseHttpUrl } from '../../shared/redact/http-url.ts';
import { MAX_JOURNEY_STEPS } from '../../shared/vocabulary/wire-limits.ts';

/**
 * Whether probes from the collector are within the limits of `ProbesSchema`, since this browser does whatever they say.
 * Checked by hand for the reason given at `isExtensionSettings`. When switched off they may contain anything: switching off
 * must always work.
 */
export function areSoundProbes(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { enabled, schedule, journeys = [], requestsPerHour } = value;
  if (!isList(schedule, 50) || !isList(journeys, 50) || ![...schedule, ...journeys].every(isRecord)) return false;
  if (enabled === false) return true;
  const isSound = (schedule as Rec[]).every(isSoundProbe) && (journeys as Rec[]).every(isSoundJourney);
  return enabled === true && isWhole(requestsPerHour, 1, MAX_REQUESTS_PER_HOUR) && isSound;
}

type Rec = Readonly<Record<string, unknown>>;

function isSoundProbe(probe: Rec): boolean {
  const { url, otherUrl, steps, repetitions, idleWaitSeconds } = probe;
  return (
    isSoundPlan(probe) &&
    (url === undefined) !== (steps === undefined) &&
    isAddress(url) &&
    isAddress(otherUrl) &&
    (steps === undefined || (isList(steps, 20) && steps.length > 0 && steps.every(isSoundStep))) &&
    isWhole(repetitions, 1, 50) &&
    isWhole(idleWaitSeconds, 1, 600)
  );
}

/** Steps are checked as they run: an unknown one breaks the run, and no page but the app's is acted in. */
function isSoundJourney(journey: Rec): boolean {
  const { recording, everyMinutes } = journey;
  if (!isSoundPlan(journey) || !isRecord(recording) || !isList(recording.steps, MAX_JOURNEY_STEPS)) return false;
  const { lastbyte } = recording;
  const isRepeatable = isRecord(lastbyte) && lastbyte.repeatable === true;
  return recording.steps.every(isRecord) && isWhole(everyMinutes, isRepeatable ? 1 : 60, 1440);
}

function isSoundPlan(probe: Rec): boolean {
  const { id, target, everyMinutes, share, sites } = probe;
  return (
    typeof id === 'string' &&
    /^[a-z0-9][a-z0-9-]{0,62}$/.test(id) &&
    typeof target === 'string' &&
    everyMinutes !== undefined &&
    isWhole(everyMinutes, 1, 1440) &&
    (share === undefined || (typeof share === 'number' && share > 0 && share <= 1)) &&
    (sites === undefined || (isList(sites, 100) && sites.every((site) => typeof site === 'string'))) &&
    ['onlyWhenIdle', 'onlyOnPower', 'wildcard', 'cookies'].every((name) => isFlag(probe[name]))
  );
}

function isSoundStep(step: unknown): boolean {
  if (!isRecord(step)) return false;
  const { url, method, status, text } = step;
  return (
    url !== undefined &&
    isAddress(url) &&
    (method === undefined || method === 'GET' || method === 'HEAD') &&
    isWhole(status, 200, 299) &&
    (text === undefined || (typeof text === 'string' && text.length >= 1 && text.length <= 200))
  );
}

function isRecord(value: unknown): value is Rec {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown, most: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= most;
}

/** True if absent. */
function isWhole(value: unknown, least: number, most: number): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most);
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isAddress(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' && value.length <= 2000 && parseHttpUrl(value) !== null && !hasCredentials(value);
}
