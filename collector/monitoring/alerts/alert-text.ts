import { hostLabel } from '../../../shared/redact/host-label.ts';
import { ALERT_RULE_DEFAULTS, EACH_JOURNEY } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule, AlertSettings } from '../../../shared/settings/alert-settings.ts';
import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import type { JourneyResult } from '../../analysis/probes/journey-results.ts';
import { evidenceTexts, failureText } from '../../analysis/text/probe-reasons.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { AlertMessage } from './alert-memory.ts';
import type { Reading } from './alert-state.ts';
import { type AlertWords, alertWords } from './alert-words.ts';
import { ruleFilters } from './read-rule.ts';

/** Journeys that a text names; programs get all of them. */
const MAX_NAMED = 3;

/** What messages need from the settings besides their rule. */
export interface MessageSettings extends Pick<AlertSettings, 'lang' | 'dashboardUrl'> {
  /** Names of apps by target id. */
  readonly apps?: NamesOfApps;
  /** Names of journeys by id. */
  readonly journeys?: ReadonlyMap<string, string>;
}

/** What a message says of a rule. */
interface Seen extends Reading {
  /** That users waited for longest; null if that is not known. */
  readonly host?: string | null;
  /** Those that failed. */
  readonly journeys?: readonly JourneyResult[];
}

/** The message about a rule's change: a sentence, where users waited, and the link. @param now epoch ms */
export function alertMessage(
  rule: AlertRule,
  status: 'firing' | 'recovered',
  { value, n, host = null, journeys = [] }: Seen,
  now: number,
  { lang, dashboardUrl, ...names }: MessageSettings = {},
): AlertMessage {
  const words = alertWords(lang);
  const subject = toSentence(rule, status, { value, n }, words, names);
  const place = host !== null && rule.host === undefined ? host : null;
  const link = alertLink(place === null ? rule : { ...rule, host: place }, dashboardUrl ?? null, now);
  const parts = [
    `${subject}.`,
    place === null ? null : words.longest(hostLabel(place)),
    ...nameFailed(journeys, words, names),
    link,
  ];
  return {
    status,
    rule: rule.id,
    subject,
    text: parts.filter((part) => part !== null).join(' '),
    value,
    threshold: rule.aboveMs ?? rule.availabilityBelow ?? null,
    samples: n,
    host: rule.host ?? place,
    ...(journeys.length === 0 ? {} : { journeys }),
    at: new Date(now).toISOString(),
    ...toLink(link),
  };
}

export function testMessage(now: number, { lang, dashboardUrl }: MessageSettings = {}): AlertMessage {
  return {
    status: 'test',
    rule: 'test',
    subject: alertWords(lang).testSubject,
    text: alertWords(lang).test,
    value: null,
    threshold: null,
    samples: 0,
    at: new Date(now).toISOString(),
    ...toLink(dashboardUrl ?? null),
  };
}

function toLink(link: string | null): Pick<AlertMessage, 'link' | 'linkMissing'> {
  return link === null ? { link, linkMissing: 'no_dashboard_url' } : { link };
}

function toSentence(
  rule: AlertRule,
  status: 'firing' | 'recovered',
  { value, n }: Reading,
  words: AlertWords,
  names: Names,
): string {
  const { windowMinutes: minutes, time, statistic } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const inUnit = (measured: number | null | undefined) => {
    if (measured == null) return words.unknown;
    return rule.availabilityBelow === undefined
      ? `${words.numbers.amount(measured)} ms`
      : `${words.numbers.upTo(measured * 100, 2)} %`;
  };
  const limit = inUnit(rule.availabilityBelow ?? rule.aboveMs);
  const about = nameFilters(rule, words, names);
  const watched = { rule: rule.name ?? rule.id, status, about, value: inUnit(value), limit, minutes, n };
  return rule.availabilityBelow === undefined ? words.time(watched, statistic, time) : words.availability(watched);
}

type Names = Pick<MessageSettings, 'apps' | 'journeys'>;

/** Which journeys failed, where, since when, at which step and why. */
function nameFailed(failed: readonly JourneyResult[], words: AlertWords, { apps, journeys }: Names): string[] {
  const { probeReasons } = words.texts;
  const told = failed.slice(0, MAX_NAMED).flatMap(({ journey, target, site, broken, failed: last }) => {
    if (last === null) return [];
    const place = [apps?.get(target) ?? target, ...(site === null ? [] : [site])].join(', ');
    const at = `${(broken?.since ?? last.at).slice(0, 16).replace('T', ' ')} UTC`;
    // The page's contents are left to the dashboard and to the JSON.
    const needed = last.broke === null ? [] : evidenceTexts({ ...last.broke, page: null }, probeReasons);
    const why = [failureText(last, words.texts), ...needed].join('; ');
    // Chat services make links and mentions of <…>.
    return probeReasons
      .failed(`${journeys?.get(journey) ?? journey} (${place})`, why, at, broken !== null)
      .replaceAll('<', '‹');
  });
  return failed.length > MAX_NAMED ? [...told, words.moreFailed(failed.length - MAX_NAMED)] : told;
}

/** The filters of the rule, as people call them. */
function nameFilters(rule: AlertRule, { texts, ...words }: AlertWords, { apps, journeys }: Names): string {
  const named = ruleFilters(rule).map(([name, value]) => {
    if (name === 'target') return apps?.get(value) ?? value;
    if (name === 'journey') return journeys?.get(value) ?? value;
    if (name === 'host') return hostLabel(value);
    if (name === 'type') return wordFor(texts.types, value);
    return name === 'connection' ? wordFor(texts.connections, value) : value;
  });
  if (rule.journey === EACH_JOURNEY) named.push(words.worstJourney);
  if (rule.eachSite === true) named.push(words.worstSite);
  return named.join(', ');
}

const MINUTE_MS = 60_000;

/**
 * The dashboard's view of what a rule saw at `now`, its window and its filters: the page of its host if it has one.
 * @param dashboardUrl null if the settings have none, and so null for the link
 */
function alertLink(rule: AlertRule, dashboardUrl: string | null, now: number): string | null {
  if (dashboardUrl === null) return null;
  const { windowMinutes } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const link = new URL(dashboardUrl);
  if (rule.availabilityBelow !== undefined) link.searchParams.set('view', 'probes');
  link.searchParams.set('from', new Date(now - windowMinutes * MINUTE_MS).toISOString());
  link.searchParams.set('to', new Date(now).toISOString());
  // The page of a host takes its types apart itself.
  const ofHost = rule.availabilityBelow === undefined && rule.host !== undefined;
  for (const [name, value] of ruleFilters(rule)) {
    const parameter = ofHost && name === 'host' ? 'page' : ofHost && name === 'type' ? 'kind' : name;
    link.searchParams.set(parameter, value);
  }
  // Rules about times read no probes.
  if (rule.availabilityBelow === undefined) link.searchParams.set('source', 'page');
  return link.href;
}
