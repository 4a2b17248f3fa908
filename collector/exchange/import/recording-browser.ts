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
  [/\bEdge\/([\d.]+)|\bOpera\/9\.80 .*\bVersion\/([\d.]+)|\bOpera[ /]([\d.]+)|\bPresto\/([\d.]+)/, 'other'],
  [/\bMSIE ([\d.]+)/, 'ie'],
  [/\b(?:CriOS|FxiOS|EdgiOS)\/|\bVersion\/([\d.]+)(?: Mobile\/\w+)? Safari\//, 'safari'],
  [/\b(?:Headless)?(?:Chrome|Chromium)\/([\d.]+)/, 'chromium'],
  [/\bFirefox\/([\d.]+)/, 'firefox'],
];

/** Names in `browser` and `creator`, and for those that once had an engine of their own the first version without it. */
const NAMES: readonly (readonly [RegExp, Browser, firstShared?: number])[] = [
  [/internet explorer|^ie\b|\bmsie\b/, 'ie'],
  [/\bsafari\b|\bwebkit\b/, 'safari'],
  [/firefox|firebug|\bnightly\b/, 'firefox'],
  [/chrom(e|ium)|\bbrave\b|\belectron\b/, 'chromium'],
  [/\bedge\b/, 'chromium', 79],
  [/\bopera\b/, 'chromium', 13],
];

/** WebKit's own inspector writes its version; Chromium's has written the one it was forked from ever since. */
const CHROMIUM_INSPECTOR = { name: 'WebInspector', version: '537.36' };

/** The browser that the file states, else the one whose developer tools wrote it, else that of the user agent. */
export function recordingBrowser(browser: Json, creator: Json, userAgent: string): RecordingBrowser {
  const agent = byUserAgent(userAgent);
  const { name, version } = { name: textAt(creator, 'name'), version: textAt(creator, 'version') };
  const isInspector = name === CHROMIUM_INSPECTOR.name && (version === CHROMIUM_INSPECTOR.version || agent === null);
  return (
    byName(textAt(browser, 'name'), versionOf(textAt(browser, 'version')), agent) ??
    byName(isInspector ? 'chrome' : name, '', agent) ??
    agent ?? { browser: 'other', version: '' }
  );
}

/** @param agent says the version, and thereby the engine, if nothing else does and it is of the same browser */
function byName(name: string, version: string, agent: RecordingBrowser | null): RecordingBrowser | null {
  const found = NAMES.find(([pattern]) => pattern.test(name.toLowerCase()));
  if (found === undefined) return null;
  const [, browser, firstShared = 0] = found;
  if (version !== '') return { browser: Number.parseInt(version, 10) < firstShared ? 'other' : browser, version };
  const isSame = agent?.browser === browser || (agent?.browser === 'other' && firstShared > 0);
  return isSame ? agent : { browser, version };
}

function byUserAgent(userAgent: string): RecordingBrowser | null {
  // The compatibility view names version 7, and the engine still its own: 5.0 is that of version 9.
  const engine = /\bTrident\/(\d{1,2})/.exec(userAgent)?.[1];
  if (engine !== undefined) return { browser: 'ie', version: `${Number(engine) + 4}.0` };
  for (const [pattern, browser] of USER_AGENTS) {
    const found = pattern.exec(userAgent);
    if (found !== null) return { browser, version: versionOf(found.slice(1).find((part) => part !== undefined) ?? '') };
  }
  return null;
}

function versionOf(text: string): string {
  return /^\d{1,4}(\.\d{1,6}){0,3}/.exec(text)?.[0] ?? '';
}
