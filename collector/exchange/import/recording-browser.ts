import type { Browser } from '../../../shared/vocabulary/vocabulary.ts';
import { type Json, textAt } from './har-values.ts';

export interface RecordingBrowser {
  readonly browser: Browser;
  /** Empty if unknown. */
  readonly version: string;
}

/**
 * Tokens of user agents with the version that follows, the first that matches: each browser also names those it imitates.
 * Chrome and Firefox on iOS are Safari inside. Edge up to 18 (`Edge/`) and Opera up to 12 had engines of their own.
 */
const USER_AGENTS: readonly (readonly [RegExp, Browser])[] = [
  [/\bEdge\/([\d.]+)|\bPresto\/([\d.]+)/, 'other'],
  [/\b(?:MSIE |Trident\/.*\brv:)([\d.]+)/, 'ie'],
  [/\b(?:CriOS|FxiOS|EdgiOS)\/|\bVersion\/([\d.]+)(?: Mobile\/\w+)? Safari\//, 'safari'],
  [/\b(?:Headless)?(?:Chrome|Chromium)\/([\d.]+)/, 'chromium'],
  [/\bFirefox\/([\d.]+)/, 'firefox'],
];

/** Names in `browser` and `creator`. Legacy Edge and today's have one name; their versions tell them apart. */
const NAMES: readonly (readonly [RegExp, Browser])[] = [
  [/internet explorer|^ie\b|\bmsie\b/, 'ie'],
  [/\bsafari\b|\bwebkit\b/, 'safari'],
  [/firefox|firebug|\bnightly\b/, 'firefox'],
  [/chrom(e|ium)|\bedge\b|\bopera\b|\bbrave\b|\belectron\b/, 'chromium'],
];

/** WebKit's own inspector writes its version; Chromium's has written the one it was forked from ever since. */
const CHROMIUM_INSPECTOR = { name: 'WebInspector', version: '537.36' };
const FIRST_CHROMIUM_EDGE = 79;

/** The browser that the file states, else the one whose developer tools wrote it, else that of the user agent. */
export function recordingBrowser(browser: Json, creator: Json, userAgent: string): RecordingBrowser {
  const agent = byUserAgent(userAgent);
  const stated = byName(textAt(browser, 'name'), versionOf(textAt(browser, 'version')));
  if (stated !== null) {
    return stated.version === '' && stated.browser === agent?.browser ? agent : stated;
  }
  const { name, version } = { name: textAt(creator, 'name'), version: textAt(creator, 'version') };
  const isInspector = name === CHROMIUM_INSPECTOR.name && (version === CHROMIUM_INSPECTOR.version || agent === null);
  const tool = isInspector ? { browser: 'chromium' as const, version: '' } : byName(name, '');
  if (tool === null) return agent ?? { browser: 'other', version: '' };
  return tool.browser === agent?.browser ? agent : tool;
}

function byName(name: string, version: string): RecordingBrowser | null {
  const found = NAMES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
  if (found === undefined) return null;
  const isLegacyEdge = /\bedge\b/i.test(name) && version !== '' && Number.parseInt(version, 10) < FIRST_CHROMIUM_EDGE;
  return { browser: isLegacyEdge ? 'other' : found, version };
}

function byUserAgent(userAgent: string): RecordingBrowser | null {
  for (const [pattern, browser] of USER_AGENTS) {
    const found = pattern.exec(userAgent);
    if (found !== null) return { browser, version: versionOf(found.slice(1).find((part) => part !== undefined) ?? '') };
  }
  return null;
}

function versionOf(text: string): string {
  return /^\d{1,4}(\.\d{1,6}){0,3}/.exec(text)?.[0] ?? '';
}
