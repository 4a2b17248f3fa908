import type { TargetAnswer } from '../servers/target-server.ts';
import { demoFont } from './demo-font.ts';
import { orderPage, SCRIPT, STYLE, WIDGET } from './demo-pages.ts';
import { demoPng } from './demo-png.ts';

const CACHED = { 'cache-control': 'public, max-age=3600' };
const NEVER_CACHED = { 'cache-control': 'no-store' };
const HTML = { ...NEVER_CACHED, 'content-type': 'text/html; charset=utf-8' };
const PLAIN = { ...NEVER_CACHED, 'content-type': 'text/plain; charset=utf-8' };
const JSON_TYPE = { ...NEVER_CACHED, 'content-type': 'application/json' };
/** https://www.w3.org/TR/resource-timing/#sec-timing-allow-origin, and CORS for the call. */
const OPEN = { 'timing-allow-origin': '*', 'access-control-allow-origin': '*' };

/** Made once each: drawing takes a millisecond in which no delay of another connection could end on time. */
const PHOTOS = Array.from({ length: 8 }, (_, seed) => png(demoPng(120, 80, seed, 8)));
const LOGO = demoPng(64, 64, 1, 0);
const FONT = demoFont();

/** What an app of the demo answers to a path. Pure, so that the servers only add delay and transport. */
export function answer(path: string, title: string, thirdParty: string): TargetAnswer {
  const fixed = FIXED[path];
  if (fixed) return fixed;
  const [first = '', second = '', ...rest] = path.slice(1).split('/');
  if (first === 'orders' && /^\d+$/.test(second) && rest.length === 0) {
    return { status: 200, headers: HTML, body: orderPage(title, second, thirdParty) };
  }
  if (first === 'photos') return photo(second);
  if (first === 'api' && second === 'orders' && rest[1] === 'lines') {
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ order: rest[0], line: rest[2], amount: 12.5 }) };
  }
  return NOT_FOUND;
}

const NOT_FOUND: TargetAnswer = { status: 404, headers: JSON_TYPE, body: '{"error":"not_found"}' };

const FIXED: Readonly<Record<string, TargetAnswer>> = {
  '/assets/app.css': { status: 200, headers: { ...CACHED, 'content-type': 'text/css' }, body: STYLE },
  '/assets/app.js': { status: 200, headers: { ...CACHED, 'content-type': 'text/javascript' }, body: SCRIPT },
  '/assets/demo.ttf': { status: 200, headers: { ...CACHED, 'content-type': 'font/ttf' }, body: FONT },
  '/assets/logo.png': { status: 200, headers: { ...CACHED, 'content-type': 'image/png' }, body: LOGO },
  '/api/admin': { status: 401, headers: PLAIN, body: 'Sign in first.' },
  '/open/widget.js': {
    status: 200,
    headers: { ...NEVER_CACHED, ...OPEN, 'content-type': 'text/javascript' },
    body: WIDGET,
  },
  '/open/rates.json': { status: 200, headers: { ...JSON_TYPE, ...OPEN }, body: '{"EUR":1}' },
  '/open/news.json': { status: 200, headers: { ...JSON_TYPE, ...OPEN }, body: '[]' },
  '/open/map.png': png(demoPng(120, 80, 5, 8), OPEN),
  '/hidden/advert.png': png(demoPng(120, 80, 9, 8)),
};

function png(body: Buffer, more: Readonly<Record<string, string>> = {}): TargetAnswer {
  return { status: 200, headers: { ...NEVER_CACHED, ...more, 'content-type': 'image/png' }, body };
}

function photo(name: string): TargetAnswer {
  const number = Number(name.match(/\d/g)?.join('') ?? 0);
  return PHOTOS[number % PHOTOS.length] ?? NOT_FOUND;
}
