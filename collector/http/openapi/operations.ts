/** What the schemas of the routes cannot say. Every address has its line here: a test holds both together. */
interface OperationAbout {
  readonly summary: string;
  /** A body that is taken as it stands here. */
  readonly example?: unknown;
  /** What is answered, where it is not JSON. */
  readonly answers?: string;
  /** Whether it answers line by line, with its progress, to whom accepts that: see progress-answer.ts. */
  readonly progress?: true;
}

export const OPERATIONS: Readonly<Record<string, OperationAbout>> = {
  'POST /api/v1/batches': {
    summary: 'Take a batch of samples. Idempotent by its id.',
    example: {
      version: 1,
      batch: '7d6f5e4c-3b2a-4190-8f7e-6d5c4b3a2910',
      client: '3f0e9d8c-7b6a-4958-8746-352413021100',
      site: 'Hannover',
      browser: 'chromium',
      browserVersion: '130.0',
      extensionVersion: '0.1.0',
      clockStep: 100,
      sentAt: 1772366400000,
      n: 1,
      dictionaries: {
        target: ['erp'],
        host: ['erp.example.com'],
        scheme: ['https'],
        template: ['/orders/{n}'],
        type: ['document'],
        protocol: ['h2'],
        source: ['page'],
        connection: ['new'],
        connectionEvidence: ['connect_took_time'],
        handshake: ['unknown'],
      },
      columns: {
        at: [1772366399000],
        target: [0],
        host: [0],
        scheme: [0],
        template: [0],
        type: [0],
        protocol: [0],
        source: [0],
        connection: [0],
        connectionEvidence: [0],
        handshake: [0],
        times: {
          blocked: [300],
          dns: [1200],
          tcp: [40100],
          tls: [41800],
          wait: [61000],
          receive: [2500],
          redirect: [0],
          ttfb: [144400],
          ttlb: [146900],
        },
        status: [200],
      },
    },
  },
  'GET /api/v1/extension-settings': { summary: 'What browsers need of the settings. ETag, If-None-Match.' },
  'GET /api/v1/summary': {
    summary: 'Per group: phases, connections, evidence, the gap between median and average, the verdict.',
    progress: true,
  },
  'GET /api/v1/histogram': {
    summary: 'Counts of one time on a logarithmic axis, with marks and peaks.',
    progress: true,
  },
  'GET /api/v1/timeline': { summary: 'One time, step by step.', progress: true },
  'GET /api/v1/compare': { summary: 'Whether two ranges or two filters differ, and by how much.', progress: true },
  'GET /api/v1/pages': { summary: 'Every statistic per page template.', progress: true },
  'GET /api/v1/evidence': { summary: 'What was usable and what was not; the cache; the fleet.', progress: true },
  'GET /api/v1/tls': { summary: 'TLS versions, ciphers and issuers that browsers told.', progress: true },
  'GET /api/v1/probes': { summary: 'Probes: availability and the time of each step, by place.', progress: true },
  'GET /api/v1/fleet': { summary: 'What browsers say of themselves.', progress: true },
  'GET /api/v1/report': {
    summary: 'A report in any format. Further parameters depend on the view.',
    answers: 'application/json',
    progress: true,
  },
  'GET /api/v1/report-runs': { summary: 'Scheduled reports: when each is due, and what became of the last ones.' },
  'POST /api/v1/report-runs': { summary: 'Make a scheduled report now.', example: { report: 'monthly' } },
  'GET /api/v1/export': { summary: 'The samples themselves as CSV, NDJSON, Parquet or HAR.', answers: 'text/csv' },
  'GET /api/v1/settings': { summary: 'The settings in force. ETag names their revision.' },
  'PUT /api/v1/settings': {
    summary: 'Put settings in force. With If-Match 412 if somebody else was faster.',
    example: {
      version: 1,
      targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }],
      alerts: {
        webhooks: [{ id: 'chat', urlFrom: { env: 'LASTBYTE_SECRET_CHAT_URL' } }],
        rules: [{ id: 'slow-erp', target: 'erp', type: 'document', statistic: 'p95', aboveMs: 1500 }],
      },
    },
  },
  'POST /api/v1/settings/check': {
    summary: 'Judge settings without putting them in force.',
    example: { version: 1, targets: [] },
  },
  'GET /api/v1/settings/revisions': { summary: 'Who changed the settings, and when.' },
  'GET /api/v1/settings/revisions/{revision}': { summary: 'The settings as they were.' },
  'GET /api/v1/tokens': { summary: 'Tokens without their secrets.' },
  'POST /api/v1/tokens': {
    summary: 'Make a token; it is shown this once.',
    example: { role: 'ingest', label: 'sales laptops' },
  },
  'DELETE /api/v1/tokens/{id}': { summary: 'End a token, and every session opened with it.' },
  'GET /api/v1/alerts': { summary: 'How the alert rules stand, and what is still on its way to a webhook.' },
  'POST /api/v1/alerts/test': { summary: 'Send a test to a webhook of the settings.', example: { webhook: 'chat' } },
  'GET /api/v1/clock': { summary: 'Whether the collector believes its clock.' },
  'GET /api/v1/session': { summary: 'The role of who is signed in.' },
  'POST /api/v1/session': {
    summary: 'Sign a browser in with a read or an admin token; sets a cookie.',
    example: { token: 'lb_read_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' },
  },
  'DELETE /api/v1/session': { summary: 'Sign out.' },
  'GET /metrics': { summary: 'Everything for Prometheus, in its text format.', answers: 'text/plain' },
  'GET /openapi.json': { summary: 'This document.' },
  'GET /healthz': { summary: '200 while the process answers.' },
  'GET /readyz': { summary: '200 while the store takes and gives data.' },
};
