import type { LabAnswer } from './lab-server.ts';

const KB = 1024;
/** Limit in bytes, since bodies are held in memory while they are sent. */
const MAX_BODY_BYTES = 16 * KB * KB;
const MAX_SLOW_MS = 600_000;
/** For /varies. */
const VARYING_SIZES = 7;

/** Never resolves. RFC 2606, section 2. */
const OTHER_HOST = 'elsewhere.test';
const PAGE = '<!doctype html><link rel="stylesheet" href="/1k"><img src="/2k" alt="">';

const HEADERS = { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' };
/** Lets pages of other origins read timing and body. https://www.w3.org/TR/resource-timing/#sec-timing-allow-origin */
const OPEN = { 'timing-allow-origin': '*', 'access-control-allow-origin': '*' };

/** The paths, as the servers' start page and the docs list them. */
export const LAB_PATHS = [
  ['/1k, /2k, /4k, /100k, /1m …', 'a body of that size (1 KB is 1,024 bytes), the connection kept open'],
  ['/close/4k', 'the same, closing the connection after the response'],
  ['/slow/300/4k', 'the same, 300 ms later'],
  ['/status/401/4k', 'the same under that status'],
  ['/redirect/4k', 'a redirect to /4k'],
  ['/elsewhere/4k', 'a redirect to /4k of another host'],
  ['/varies', 'a different size each time'],
  ['/no-frame/4k', 'the same, not to be framed'],
  ['/download/4k', 'the same, to be saved and not shown'],
  ['/page', 'a page with a style sheet and an image'],
  ['/metrics', 'CPU time of all these servers, as Prometheus reads it'],
  ['/hsts/4k', 'the same; over https with an HSTS header valid for a minute'],
] as const;

/** The response to a path; `count` is the number of earlier requests, for /varies. */
export function labAnswer(path: string, count: number): LabAnswer {
  const [first = '', ...rest] = path.slice(1).split('/');
  const inner = () => labAnswer(`/${rest.join('/')}`, count);
  switch (first) {
    case '':
      return ok(LAB_PATHS.map((line) => line.join('  ')).join('\n'));
    case 'metrics': {
      const { user, system } = process.cpuUsage();
      return ok(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
    }
    case 'close':
      return { ...inner(), close: true };
    case 'varies':
      return ok('x'.repeat(KB * (1 + (count % VARYING_SIZES))));
    case 'redirect':
      return { ...ok(''), status: 302, headers: { ...HEADERS, ...OPEN, location: `/${rest.join('/')}` } };
    case 'elsewhere':
      return {
        ...ok(''),
        status: 302,
        headers: { ...HEADERS, ...OPEN, location: `//${OTHER_HOST}/${rest.join('/')}` },
      };
    case 'page':
      return withHeaders(ok(PAGE), { 'content-type': 'text/html; charset=utf-8' });
    case 'no-frame':
      return withHeaders(inner(), { 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'" });
    case 'download':
      return withHeaders(inner(), { 'content-type': 'application/zip', 'content-disposition': 'attachment' });
    case 'hsts':
      return withHeaders(inner(), { 'strict-transport-security': 'max-age=60' });
    case 'slow': {
      const ms = wholeNumber(rest.shift());
      return ms === null || ms > MAX_SLOW_MS ? NOT_FOUND : { ...inner(), delayMs: ms };
    }
    case 'status': {
      const status = wholeNumber(rest.shift());
      return status === null || status < 200 || status > 599 ? NOT_FOUND : { ...inner(), status };
    }
    default:
      return rest.length === 0 ? sized(first) : NOT_FOUND;
  }
}

function withHeaders(answer: LabAnswer, headers: Readonly<Record<string, string>>): LabAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

const NOT_FOUND: LabAnswer = { status: 404, headers: { ...HEADERS, ...OPEN }, body: 'No such path.' };

function sized(name: string): LabAnswer {
  const [, digits = '', unit = ''] = /^(\d{1,6})([km])$/.exec(name) ?? [];
  const bytes = Number(digits) * (unit === 'm' ? KB * KB : KB);
  return digits === '' || bytes > MAX_BODY_BYTES ? NOT_FOUND : ok('x'.repeat(bytes));
}

function ok(body: string): LabAnswer {
  return { status: 200, headers: { ...HEADERS, ...OPEN, 'content-length': String(Buffer.byteLength(body)) }, body };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : null;
}
