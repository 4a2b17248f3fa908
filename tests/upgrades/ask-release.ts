import { setTimeout } from 'node:timers/promises';
import type { Answers, Keys } from './recorded.ts';

/** Questions with fixed ranges: what only rollups have; all; what samples have too; and the last hours, neither full nor rolled up. */
const EXPIRED = 'from=2026-10-01T00:00:00Z&to=2026-10-20T00:00:00Z';
const ALL = 'from=2026-09-28T00:00:00Z&to=2026-11-21T00:00:00Z';
const KEPT = 'from=2026-10-26T00:00:00Z&to=2026-11-20T10:30:00Z';
const NEWEST = 'from=2026-11-18T09:30:00Z&to=2026-11-20T10:30:00Z';

/** Of which some samples were not rolled up yet, nor forwarded. */
export const LAST_DAY = '2026-11-20T00:00:00Z';
const LOOK_EVERY_MS = 500;
const MAX_LOOKS = 120;

/** With `read`, as a viewer asks, who does not see small groups; with `ingest`, as a browser. */
const QUESTIONS: readonly string[] = [
  `summary?${EXPIRED}&by=host,type`,
  `summary?${ALL}&by=host,type`,
  `summary?${NEWEST}&by=host,type`,
  `summary?${NEWEST}&by=site,connection&exact=true`,
  `summary?${ALL}&by=site&read`,
  `timeline?${ALL}&by=target&step=1d`,
  `histogram?${ALL}&by=target`,
  'compare?from=2026-11-09T00:00:00Z&to=2026-11-20T00:00:00Z&beforeFrom=2026-10-26T00:00:00Z&beforeTo=2026-11-07T00:00:00Z&by=host',
  `evidence?${ALL}&by=target`,
  `timeline?${NEWEST}&by=host&step=1h&zone=Europe/Berlin`,
  `tls?${NEWEST}`,
  `probes?${KEPT}`,
  `pages?${NEWEST}`,
  `fleet?${ALL}`,
  `report?view=phases&${KEPT}`,
  'settings',
  'settings/revisions',
  'extension-settings?ingest',
  'tokens',
  'alerts',
  'report-runs',
  `export?format=ndjson&${ALL}`,
  `changes?${KEPT}`,
  `findings?${KEPT}`,
  `what-if?${KEPT}`,
  `site-hosts?${KEPT}`,
  `samples?${NEWEST}`,
  'views',
  `annotations?${ALL}`,
  'clock',
];

/** What answers from control data, and one question about samples. */
export const OF_CONTROL = QUESTIONS.filter((question) =>
  /^(settings|extension-settings|tokens|alerts|report-runs|views|annotations|fleet|summary.*read$)/.test(question),
);

/** Resolves once the samples of the last day are there: ClickHouse has them a little later. */
export async function untilForwarded(url: string, admin: string, rows: number): Promise<void> {
  const headers = { authorization: `Bearer ${admin}` };
  for (let looks = 0; ; looks++) {
    const response = await fetch(`${url}/api/v1/export?format=ndjson&from=${LAST_DAY}`, { headers });
    const found = (await response.text()).split('\n').length - 1;
    if (found === rows) return;
    if (found > rows || looks === MAX_LOOKS) throw new Error(`${found} samples of the last day instead of ${rows}`);
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** @returns answers by question, null where there is no such route */
export async function askRelease(url: string, keys: Keys, questions = QUESTIONS): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  for (const question of questions) {
    const role = /[?&](read|ingest)$/.exec(question)?.[1] as 'read' | 'ingest' | undefined;
    const address = question.replace(/[?&](read|ingest)$/, '');
    const response = await fetch(`${url}/api/v1/${address}`, {
      headers: { authorization: `Bearer ${keys[role ?? 'admin']}` },
    });
    const body = await response.text();
    if (response.status === 404) answers[question] = null;
    else if (!response.ok) answers[question] = { status: response.status, code: JSON.parse(body).error.code };
    else if (address.startsWith('export'))
      answers[question] = body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    else answers[question] = JSON.parse(body);
  }
  return answers;
}
