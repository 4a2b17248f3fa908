import { setTimeout as sleep } from 'node:timers/promises';
import type { CompareDocument } from '../questions/compare.ts';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 20_000;
/** Browsers send within a minute, ms. */
const WAIT_MS = 90_000;
const ASK_AGAIN_MS = 5_000;

export interface Meanwhile {
  readonly collector: string;
  /** A person's token: of an admin if the load is to be noted. */
  readonly token: string;
  readonly target: string;
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  /** What ran, for the annotation. */
  readonly text: string;
  readonly signal: AbortSignal;
}

/**
 * Notes the load where users' numbers are drawn, and says what their own requests took while it ran, by site, beside the same hours of
 * the day before. One sentence each; never rejects.
 */
export async function usersMeanwhile(load: Meanwhile): Promise<string[]> {
  const [at, until] = [iso(load.from), iso(load.to)];
  const { text, target } = load;
  const noted = await ask(load, '/api/v1/annotations', { text, at, until, target });
  const said = noted.error === null ? [] : [`The load is not noted at ${load.collector} (${noted.error}).`];
  const [beforeFrom, beforeTo] = [iso(load.from - DAY_MS), iso(load.to - DAY_MS)];
  const range = { from: at, to: until, beforeFrom, beforeTo };
  const query = new URLSearchParams({ ...range, target, source: 'page', by: 'site' });
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const { error, answer } = await ask(load, `/api/v1/compare?${query}`);
    if (error !== null) return [...said, `What users saw meanwhile is unknown (${error}).`];
    const { cells } = answer as CompareDocument;
    if (cells.some(({ after }) => after !== null) || Date.now() > deadline || load.signal.aborted) {
      return [...said, ...sentences(cells)];
    }
    await sleep(ASK_AGAIN_MS, undefined, { signal: load.signal }).catch(() => {}); // asks once more, and ends
  }
}

function sentences(cells: CompareDocument['cells']): string[] {
  const seen = cells.filter(({ after }) => after !== null);
  if (seen.length === 0) return ['No user of the app was measured meanwhile.'];
  return seen.map(({ site, after, change }) => {
    const where = site ? `browsers in ${site}` : 'browsers without a site';
    if (change === null)
      return `Meanwhile, ${where} waited ${ms(after?.median)} (median); there is too little of the day before to compare.`;
    const { difference, interval } = change;
    if (!change.changed)
      return `Meanwhile, ${where} waited as long as at the same hours of the day before (${ms(change.after)}, median).`;
    const more = difference > 0 ? 'longer' : 'less';
    return `Meanwhile, ${where} waited ${ms(Math.abs(difference))} ${more} than at the same hours of the day before: ${ms(change.after)} instead of ${ms(change.before)} (median; 95 %: ${interval.map((each) => ms(each)).join(' to ')}).`;
  });
}

async function ask({ collector, token }: Meanwhile, path: string, body?: object) {
  try {
    const response = await fetch(collector + path, {
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      // The token is for this address only.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json();
    const { error } = answer as { readonly error?: { readonly code?: string } };
    return { error: response.ok ? null : (error?.code ?? `http_${response.status}`), answer };
  } catch (error) {
    return { error: error instanceof Error ? error.name : 'unreachable', answer: null };
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function ms(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
