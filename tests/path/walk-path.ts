import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import type { PathKind, PathSite } from './path-site.ts';

/** Longer than the server of `idle` keeps a silent connection, ms. */
const SILENCE_MS = 3_400;
/** Of the server, for the images of a burst: each ends at its own time, so that a waiting one gets an old connection. */
const BURST_MS = [0, 30, 5, 60, 0, 15, 90, 0, 45, 10] as const;
const KEPT = 3;
/** More than a round trip, ms. */
const END_ARRIVES_MS = 60;

export interface Walk {
  readonly site: PathSite;
  readonly page: Page;
  readonly kind: PathKind;
  readonly round: number;
  readonly pages: Map<string, string>;
}

/** What a user does at one app: types its address, follows links, comes back; the app asks in bursts and one by one. */
export async function walkPath({ site, page, kind, round, pages }: Walk): Promise<void> {
  const host = `r${round}`;
  const other = `s${round}`;
  const name = (step: string) => `${kind}-${round}-${step}`;
  const address = (step: string, at = host) => site.url(kind, at, `/d/${name(step)}`);
  const image = (step: string, index: number, at = host) =>
    site.url(
      kind,
      at,
      `/r/${name(step)}-${index}/${BURST_MS[(index + round) % BURST_MS.length]}/${index % 4 === 3 ? 24 : 1}`,
    );
  const make = (step: string, count: number, link: string | null, from = host) => {
    const images = Array.from({ length: count }, (_, index) => `<img src="${image(step, index, from)}">`).join('');
    const next = link === null ? '' : `<a id="next" href="${link}">next</a>`;
    pages.set(
      name(step),
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>${step}</title>${images}${next}`,
    );
  };
  // By links through the host, then to its sibling, whose images come from both.
  make('typed', 10, address('linked'));
  make('linked', 8, address('sibling', other));
  make('sibling', 6, null, round % 2 === 0 ? host : other);
  make('again', 9, address('last'));
  make('last', 4, null);

  await page.goto(address('typed'), { waitUntil: 'load' });
  await follow(page);
  await page.evaluate(
    fetches(
      Array.from({ length: KEPT }, (_, index) => image('kept', index)),
      false,
    ),
  );
  if (kind === 'idle') await sleep(SILENCE_MS);
  else if (round % 2 === 0) await endIdle();
  await page.evaluate(
    fetches(
      Array.from({ length: 8 }, (_, index) => image('burst', index)),
      true,
    ),
  );
  await follow(page);
  if (kind === 'idle') await sleep(SILENCE_MS);
  else await endIdle();
  await page.goto(address('again'), { waitUntil: 'load' });
  await follow(page);

  /** A request that meets the end of its connection on the way is sent again, and in Firefox' entry nobody sees it. */
  async function endIdle(): Promise<void> {
    site.endIdle(kind);
    await sleep(END_ARRIVES_MS);
  }
}

async function follow(page: Page): Promise<void> {
  await Promise.all([
    page.waitForNavigation({ waitUntil: 'load' }),
    page.evaluate('void setTimeout(() => document.getElementById("next").click())'),
  ]);
}

function fetches(urls: readonly string[], atOnce: boolean): string {
  const list = JSON.stringify(urls);
  return atOnce
    ? `Promise.all(${list}.map((url) => fetch(url).then((answer) => answer.arrayBuffer()))).then(() => 'done')`
    : `(async () => { for (const url of ${list}) await (await fetch(url)).arrayBuffer(); return 'done'; })()`;
}
