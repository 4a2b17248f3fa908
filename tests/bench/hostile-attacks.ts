import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  attackBatch,
  combinedCellsBatch,
  gzipBombs,
  inventedNamesBatch,
  inventedReasonsBatch,
  inventedTurnsBatch,
  nestedBodies,
  surrogateBatch,
} from './hostile-bodies.ts';

export interface AttackTools {
  readonly url: string;
  /** One key for all browsers, as a roll-out gives it: the attacker has read it from one of them. */
  readonly keys: Readonly<Record<'ingest' | 'read' | 'otherRead' | 'admin', string>>;
  /** For files of the attack's own. */
  readonly folder: string;
  readonly ended: AbortSignal;
  /** Counts the answer by its status, 0 where none came. */
  ask(request: AttackRequest): Promise<number>;
  /** Does it over and over, so many at a time, until the attack ends. */
  repeat(concurrency: number, work: (number: number) => Promise<unknown>, pauseMs?: number): Promise<void>;
}

export interface AttackRequest {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly key: string;
  readonly body?: Buffer | string | object;
}

/** What an attack found beside the answers it got, by name. */
export type Findings = Readonly<Record<string, number>>;

/** The variable of the server's environment and the file that a secret reference must not reach. */
export const PLANTED = { variable: 'PLANTED_BY_BENCH', value: 'planted-secret-of-the-bench' };

const EVER = 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z';
/** An answer to somebody else's short question has to come by then, ms. */
const SHORT_QUESTION_MS = 10_000;

/** What the attacker's process does, by the name of the attack. */
export const ATTACKS: Readonly<Record<string, (tools: AttackTools) => Promise<Findings | undefined>>> = {
  async surrogate({ ask, repeat, keys }) {
    await repeat(2, (n) => ask(batch(keys.ingest, surrogateBatch(n))), 100);
    return undefined;
  },

  async hugeRange({ ask, repeat, keys }) {
    const questions = [
      `report?${EVER}&zone=Europe/Berlin`,
      `report?${EVER}&zone=America/New_York&hours=Mon-Fri%2008:00-18:00`,
      `report?view=phases&${EVER}&zone=Asia/Kolkata`,
      `timeline?${EVER}&zone=Europe/Berlin&step=2000d`,
      `timeline?${EVER}&step=99999d`,
      `fleet?${EVER}`,
      `summary?${EVER}&by=host,type`,
      `probes?${EVER}`,
    ];
    await repeat(4, (n) => ask({ path: `/api/v1/${questions[n % questions.length]}`, key: keys.read }));
    return undefined;
  },

  async gzipBombs({ ask, repeat, keys }) {
    const bombs = gzipBombs();
    await repeat(600, (n) => ask(batch(keys.ingest, bombs[n % bombs.length] as Buffer)));
    return undefined;
  },

  async nestedJson({ ask, repeat, keys }) {
    const bodies = nestedBodies();
    await repeat(6, (n) => ask(batch(keys.ingest, bodies[n % bodies.length] as Buffer)));
    return undefined;
  },

  /** The bench moves the clock. */
  async clockJump({ ended }) {
    await once(ended, 'abort');
    return undefined;
  },

  async inventedNames({ ask, repeat, keys }) {
    await repeat(1, () => ask(batch(keys.ingest, inventedNamesBatch())), 200);
    return undefined;
  },

  async cells({ ask, repeat, keys }) {
    await repeat(2, () => ask(batch(keys.ingest, combinedCellsBatch())), 50);
    return undefined;
  },

  async fleet({ ask, repeat, keys }) {
    await Promise.all([
      repeat(2, () => ask({ path: '/api/v1/fleet', key: keys.read })),
      repeat(1, () => ask(batch(keys.ingest, inventedReasonsBatch())), 100),
    ]);
    return undefined;
  },

  async zoneSpellings({ ask, repeat, keys }) {
    const zone = (n: number) =>
      [...'america/argentina/buenos_aires'].map((c, i) => (n & (1 << (i % 24)) ? c.toUpperCase() : c)).join('');
    await repeat(16, (n) => ask({ path: `/api/v1/timeline?step=1s&${EVER}&zone=${zone(n)}`, key: keys.read }));
    return undefined;
  },

  async secrets(tools) {
    return reachForSecrets(tools);
  },

  async probeTurns({ ask, repeat, keys }) {
    await repeat(2, () => ask(batch(keys.ingest, inventedTurnsBatch())), 20);
    return undefined;
  },

  async slowSockets({ url, keys, repeat }) {
    const { port } = new URL(url);
    const head = `POST /api/v1/batches HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${keys.ingest}\r\n`;
    let opened = 0;
    await repeat(500, async (n) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.66.6' });
      // `once` of node:events would reject where the socket fails, which is what has to happen.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => {}); // cut or refused: it is what has to happen
      opened++;
      socket.write(n % 2 === 0 ? head : `${head}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`);
      const drip = setInterval(() => socket.write(n % 2 === 0 ? 'x-drip: 1\r\n' : ' '), 1000);
      await closed;
      clearInterval(drip);
    });
    return { opened };
  },

  async longQuestions({ ask, ended, repeat, keys }) {
    const from = new Date(Date.now() - 20 * 86_400_000).toISOString();
    let [asked, unanswered, worstMs] = [0, 0, 0];
    await Promise.all([
      repeat(
        100,
        // Each another one, so that no answer is there already.
        (n) => ask({ path: `/api/v1/pages?limit=1000&from=${from}&host=app-${n % 40}.example.com`, key: keys.read }),
        10,
      ),
      repeat(
        1,
        async () => {
          const started = performance.now();
          const status = await ask({ path: '/api/v1/pages?limit=5', key: keys.otherRead });
          const took = performance.now() - started;
          // The end of the attack cuts off the last one; that says nothing unless it was late already.
          if (ended.aborted && took <= SHORT_QUESTION_MS) return;
          asked++;
          worstMs = Math.max(worstMs, took);
          if (status !== 200 || took > SHORT_QUESTION_MS) unanswered++;
        },
        1000,
      ),
    ]);
    // One that never came back is not among those that did.
    return { otherAsked: asked, otherUnanswered: asked === 0 ? 1 : unanswered, otherWorstMs: Math.round(worstMs) };
  },

  async floods({ ask, repeat, keys }) {
    await repeat(16, () => ask(batch(keys.ingest, JSON.stringify(attackBatch({ n: 500, client: 'attack-flooding' })))));
    return undefined;
  },
};

function batch(key: string, body: Buffer | string): AttackRequest {
  return { method: 'POST', path: '/api/v1/batches', key, body };
}

/** An admin's token reaches for what lies beside the settings. `leaks` counts what arrived where it points. */
async function reachForSecrets({ ask, repeat, keys, folder }: AttackTools): Promise<Findings> {
  let leaks = 0;
  const sink = createServer((request, response) => {
    if (JSON.stringify([request.headers, request.url]).includes(PLANTED.value)) leaks++;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const url = `http://127.0.0.1:${(sink.address() as { port: number }).port}/`;
  const [planted, pipe] = [join(folder, 'planted'), join(folder, 'pipe')];
  await writeFile(planted, PLANTED.value);
  await writeFile(`${planted}-url`, `${url}${PLANTED.value}`);
  await promisify(execFile)('mkfifo', [pipe]);
  const webhooks = [
    { id: 'planted', url, bearerFrom: { file: planted } },
    { id: 'planted-url', urlFrom: { file: `${planted}-url` } },
    { id: 'variable', url, bearerFrom: { env: PLANTED.variable } },
    { id: 'pipe', url, bearerFrom: { file: pipe } },
    { id: 'endless', url, bearerFrom: { file: '/dev/zero' } },
    { id: 'passwd', url, bearerFrom: { file: '/etc/passwd' } },
  ];
  await repeat(4, async (n) => {
    const webhook = webhooks[n % webhooks.length] as (typeof webhooks)[number];
    const settings = { version: 1, targets: attackedTargets(), alerts: { webhooks: [webhook], rules: [] } };
    await ask({ method: 'PUT', path: '/api/v1/settings', key: keys.admin, body: settings });
    await ask({ method: 'POST', path: '/api/v1/alerts/test', key: keys.admin, body: { webhook: webhook.id } });
    await after(50);
  });
  sink.closeAllConnections();
  sink.close();
  return { leaks };
}

/** What the collector is set up to watch: the targets of the honest browsers. */
export function attackedTargets(): readonly object[] {
  return ['erp', 'shop'].map((id) => ({ id, name: id, match: [`https://${id}.example.com/*`] }));
}
