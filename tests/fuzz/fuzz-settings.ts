import fc from 'fast-check';
import { validateNewSettings } from '../../shared/settings/validate-settings.ts';
import type { TestApp } from '../collector/test-app.ts';
import type { Fuzzer } from './fuzz.ts';
import { type Json, mutated } from './mutations.ts';

/** Every member there is, so that each is changed by some edit. */
const WHOLE: Json = {
  version: 1,
  targets: [
    {
      id: 'erp',
      name: 'ERP',
      match: ['https://erp.example.com/*'],
      templateRules: ['/users/{user}/orders/*'],
      serverTimingMetrics: ['db'],
      exclude: [{ host: 'erp.example.com', path: '/health/**', type: 'fetch' }],
      unlockTimings: ['cdn.example.net'],
    },
    { id: 'shop', name: 'Shop', match: ['*://shop.example.com/*'] },
  ],
  delivery: { intervalSeconds: 30 },
  probes: {
    enabled: true,
    requestsPerHour: 100,
    schedule: [
      {
        id: 'logo',
        target: 'erp',
        url: 'https://erp.example.com/logo.png',
        everyMinutes: 10,
        repetitions: 3,
        share: 0.5,
      },
      {
        id: 'login',
        target: 'erp',
        steps: [
          { url: 'https://erp.example.com/login', method: 'GET', status: 200, text: 'Sign in', thresholdMs: 900 },
        ],
        everyMinutes: 60,
        sites: ['Hannover'],
        onlyWhenIdle: true,
      },
    ],
  },
  alerts: {
    everySeconds: 60,
    webhooks: [{ id: 'chat', urlFrom: { env: 'LASTBYTE_SECRET_CHAT_URL' }, bearerFrom: { file: 'chat-token' } }],
    rules: [
      { id: 'slow', webhooks: ['chat'], target: 'erp', type: 'document', statistic: 'p95', aboveMs: 1500 },
      {
        id: 'down',
        target: 'erp',
        availabilityBelow: 0.99,
        windowMinutes: 10,
        minSamples: 5,
        breaches: 2,
        evaluations: 3,
      },
    ],
  },
  reports: {
    mail: { host: 'mail.example.com', port: 587, tls: 'starttls', from: 'lastbyte@example.com' },
    schedule: [
      {
        id: 'monthly',
        cron: '0 7 1 * *',
        zone: 'Europe/Berlin',
        view: 'monthly',
        period: 'month',
        formats: ['pdf', 'csv'],
        lang: 'de',
        filters: { target: ['erp'] },
        businessHours: 'Mon-Fri 08:00-18:00',
        outliers: 'cap:10000',
        minN: 30,
        folder: 'monthly',
        mailTo: ['it@example.com'],
      },
    ],
  },
  retention: { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null },
  privacy: { foldSmallGroups: true },
};

/** What shows the settings in force, and works by them. */
const READERS = [
  { url: '/api/v1/settings', as: 'admin' },
  { url: '/api/v1/extension-settings', as: 'ingest' },
  { url: '/api/v1/alerts', as: 'read' },
  { url: '/api/v1/report-runs', as: 'admin' },
  { url: '/api/v1/probes', as: 'read' },
  { url: '/api/v1/evidence', as: 'read' },
  { url: '/metrics', as: 'admin' },
] as const;

/** Settings documents: refused in words, or good for everything that works by them. */
export function settingsFuzzer(app: TestApp): Fuzzer<Json> {
  return {
    name: 'settings',
    arbitrary: mutated(fc.constant(WHOLE), 2),
    async holds(document) {
      const verdict = validateNewSettings(document);
      const headers = { 'content-type': 'application/json' };
      const put = await app.send({
        method: 'PUT',
        url: '/api/v1/settings',
        as: 'admin',
        headers,
        body: JSON.stringify(document),
      });
      if (put.statusCode >= 500) throw new Error(`PUT answered ${put.statusCode}: ${put.body}`);
      if (!verdict.ok) {
        if (verdict.problems.length === 0) throw new Error('refused without a reason');
        if (put.statusCode === 200) throw new Error('invalid, and put in force');
        return;
      }
      // What is judged is JSON: -0 and half characters are others once they were sent.
      if (put.statusCode !== 200) throw new Error(`valid, and PUT answered ${put.statusCode}: ${put.body}`);
      for (const { url, as } of READERS) {
        const { statusCode, body } = await app.send({ url, as });
        if (statusCode !== 200) throw new Error(`in force, and ${url} answers ${statusCode}: ${body.slice(0, 300)}`);
      }
    },
    toCorpus: (document) => document,
    fromCorpus: (document: Json) => document,
  };
}
