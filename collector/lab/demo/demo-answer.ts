import { readFileSync } from 'node:fs';
import type { LabAnswer } from '../servers/lab-server.ts';
import { orderPage, SCRIPT, STYLE, WIDGET } from './demo-pages.ts';

const CACHED = { 'cache-control': 'public, max-age=3600' };
const NEVER_CACHED = { 'cache-control': 'no-store' };
const HTML = { ...NEVER_CACHED, 'content-type': 'text/html; charset=utf-8' };
const PLAIN = { ...NEVER_CACHED, 'content-type': 'text/plain; charset=utf-8' };
const JSON_TYPE = { ...NEVER_CACHED, 'content-type': 'application/json' };
const PNG = { 'content-type': 'image/png' };
/** https://www.w3.org/TR/resource-timing/#sec-timing-allow-origin, and CORS for fetch. */
const OPEN = { 'timing-allow-origin': '*', 'access-control-allow-origin': '*' };

/** The build copies the folder to the built command. */
const asset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url));
const PHOTO = asset('photo.png');

/** An app's response to a path. Pure, so that the servers only add delay and transport. */
export function answer(path: string, title: string, thirdParty: string): LabAnswer {
  const fixed = FIXED[path];
  if (fixed) return fixed;
  const [first = '', second = '', ...rest] = path.slice(1).split('/');
  if (first === 'orders' && /^\d+$/.test(second) && rest.length === 0) {
    return { status: 200, headers: HTML, body: orderPage(title, second, thirdParty) };
  }
  if (first === 'photos') return { status: 200, headers: { ...NEVER_CACHED, ...PNG }, body: PHOTO };
  if (first === 'api' && second === 'orders' && rest[1] === 'lines') {
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ order: rest[0], line: rest[2], amount: 12.5 }) };
  }
  return { status: 404, headers: JSON_TYPE, body: '{"error":"not_found"}' };
}

const FIXED: Readonly<Record<string, LabAnswer>> = {
  '/assets/app.css': { status: 200, headers: { ...CACHED, 'content-type': 'text/css' }, body: STYLE },
  '/assets/app.js': { status: 200, headers: { ...CACHED, 'content-type': 'text/javascript' }, body: SCRIPT },
  '/assets/demo.ttf': { status: 200, headers: { ...CACHED, 'content-type': 'font/ttf' }, body: asset('demo.ttf') },
  '/assets/logo.png': { status: 200, headers: { ...CACHED, ...PNG }, body: asset('logo.png') },
  '/api/admin': { status: 401, headers: PLAIN, body: 'Sign in first.' },
  '/open/widget.js': {
    status: 200,
    headers: { ...NEVER_CACHED, ...OPEN, 'content-type': 'text/javascript' },
    body: WIDGET,
  },
  '/open/rates.json': { status: 200, headers: { ...JSON_TYPE, ...OPEN }, body: '{"EUR":1}' },
  '/open/news.json': { status: 200, headers: { ...JSON_TYPE, ...OPEN }, body: '[]' },
  '/open/map.png': { status: 200, headers: { ...NEVER_CACHED, ...OPEN, ...PNG }, body: PHOTO },
  '/hidden/advert.png': { status: 200, headers: { ...NEVER_CACHED, ...PNG }, body: PHOTO },
};
