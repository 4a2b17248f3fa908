import { expect, test } from 'vitest';
import { probePaths } from '../../../collector/analysis/probes/probe-paths.ts';
import type { SequenceRun } from '../../../collector/analysis/probes/probe-results.ts';
import { findState } from '../../../collector/monitoring/alerts/alert-memory.ts';
import { QUIET } from '../../../collector/monitoring/alerts/alert-state.ts';
import { findDue } from '../../../collector/reports/schedule/find-due.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { validateNewSettings } from '../../../shared/settings/validate-settings.ts';
import { PROTOTYPE_NAMES, withTextReplaced } from '../fixtures/prototype-names.ts';

const SETTINGS = {
  version: 1,
  targets: [
    {
      id: 'erp',
      name: 'ERP',
      match: ['https://erp.example.com/*'],
      templateRules: ['/users/{user}'],
      serverTimingMetrics: ['db'],
      exclude: [{ path: '/health/**' }],
    },
  ],
  probes: {
    enabled: true,
    schedule: [
      {
        id: 'daily',
        target: 'erp',
        steps: [{ url: 'https://erp.example.com/favicon.ico', text: 'x' }],
        everyMinutes: 60,
        sites: ['Porto'],
      },
    ],
  },
  alerts: {
    webhooks: [{ id: 'chat', url: 'https://chat.example.com/', bearerFrom: { env: 'LASTBYTE_SECRET_CHAT' } }],
    rules: [{ id: 'slow', target: 'erp', type: 'document', statistic: 'p95', aboveMs: 1500, webhooks: ['chat'] }],
  },
  reports: {
    mail: { host: 'mail.example.com', from: 'a@example.com', user: 'x', passwordFrom: { file: 'smtp' } },
    schedule: [
      {
        id: 'monthly',
        cron: '0 6 1 * *',
        zone: 'Europe/Berlin',
        view: 'monthly',
        filters: { target: ['erp'] },
        formats: ['pdf'],
        mailTo: ['b@example.com'],
      },
    ],
  },
};

test.each(PROTOTYPE_NAMES)('no text of the settings finds anything by the name %s', (name) => {
  expect(validateNewSettings(SETTINGS)).toEqual({ ok: true, settings: SETTINGS });
  for (const { path, value } of withTextReplaced(SETTINGS, name)) {
    const verdict = validateNewSettings(value);
    if (verdict.ok) expect(toExtensionSettings(verdict.settings, 1), path).toBeTypeOf('object');
    else expect(verdict.problems, path).not.toEqual([]);
  }
});

test('a rule and a report called constructor have no past they never had', () => {
  expect(findState({}, 'constructor')).toBe(QUIET);
  const report = { id: 'constructor', cron: '0 6 1 * *', folder: 'out' };
  const { handled } = findDue({ handled: {}, runs: [] }, [report], 1000);
  expect(handled).toEqual({ constructor: { timetable: '0 6 1 * * UTC', until: 1000 } });
});

test('a browser that calls its reasons constructor is counted', () => {
  const turn: SequenceRun = {
    target: 'erp',
    site: 'Porto',
    host: 'erp.example.com',
    scenarios: [
      { scenario: 'https-new', method: null, kept: 0, discarded: { constructor: 2 }, unavailable: null },
      { scenario: 'http-new', method: null, kept: 0, discarded: {}, unavailable: 'constructor' as never },
    ],
  };
  const scenarios = probePaths([], [], [turn, turn])[0]?.scenarios;
  expect(scenarios?.find(({ scenario }) => scenario === 'https-new')?.discarded).toEqual({ constructor: 4 });
  expect(scenarios?.find(({ scenario }) => scenario === 'http-new')?.unavailable).toEqual({ constructor: 2 });
});
