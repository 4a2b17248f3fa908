import type { BrowserStatus } from '../../../shared/wire/browser-status.ts';
import { NOW } from './arbitrary-sample.ts';

export const STATUS: BrowserStatus = {
  state: 'degraded',
  waiting: 3,
  dropped: { full: 10 },
  rejected: { bad_host: 2 },
  lost: { flood: 4 },
  ignored: { bad_server_time: 6 },
  turns: [
    {
      probe: 'logo',
      target: 'erp',
      at: NOW - 60_000,
      skipped: null,
      scenarios: [
        {
          scenario: 'https-new',
          method: 'credentialless_frame',
          kept: 4,
          discarded: { not_new: 1 },
          unavailable: null,
        },
        { scenario: 'http-new', method: null, kept: 0, discarded: {}, unavailable: 'https_upgrade' },
      ],
      steps: [],
    },
    {
      probe: 'login',
      target: 'erp',
      at: NOW - 50_000,
      skipped: null,
      scenarios: [],
      steps: [null, 'status_500'],
      stepTimes: [120_500, null],
    },
    {
      probe: 'order',
      target: 'erp',
      at: NOW - 45_000,
      skipped: null,
      scenarios: [],
      steps: [null, 'element_not_found'],
      stepTimes: [120_500, null],
      broke: {
        step: 2,
        reason: 'element_not_found',
        detail: null,
        lookedFor: ['aria/Save'],
        page: {
          title: 'Orders',
          url: 'https://erp.test/orders/{n}',
          status: 200,
          consoleErrors: 1,
          failedRequests: 0,
          nearest: [{ role: 'button', name: 'Save order' }],
        },
      },
    },
    { probe: 'login', target: 'erp', at: NOW - 40_000, skipped: 'budget', scenarios: [], steps: [] },
  ],
};
