import { MAX_REQUESTS_PER_HOUR } from '../../shared/probes/probe-budget.ts';
import { hasCredentials, parseHttpUrl } from '../../shared/redact/http-url.ts';

/**
 * Whether probes from the collector are within the limits of `ProbesSchema`, since this browser does whatever they say.
 * Checked by hand for the reason given at `isExtensionSettings`. When switched off they may contain anything: switching off
 * must always work.
 */
export function areSoundProbes(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { enabled, schedule, requestsPerHour } = value;
  if (!Array.isArray(schedule) || schedule.length > 50 || !schedule.every(isRecord)) return false;
  if (enabled === false) return true;
  return enabled === true && isWhole(requestsPerHour, 1, MAX_REQUESTS_PER_HOUR) && schedule.every(isSoundProbe);
}

function isSoundProbe(probe: Readonly<Record<string, unknown>>): boolean {
  const { id, target, url, otherUrl, steps, everyMinutes, repetitions, share, sites, idleWaitSeconds } = probe;
  return (
    typeof id === 'string' &&
    /^[a-z0-9][a-z0-9-]{0,62}$/.test(id) &&
    typeof target === 'string' &&
    (url === undefined) !== (steps === undefined) &&
    isAddress(url) &&
    isAddress(otherUrl) &&
    (steps === undefined || (isList(steps, 20) && steps.length > 0 && steps.every(isSoundStep))) &&
    everyMinutes !== undefined &&
    isWhole(everyMinutes, 1, 1440) &&
    isWhole(repetitions, 1, 50) &&
    isWhole(idleWaitSeconds, 1, 600) &&
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
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
