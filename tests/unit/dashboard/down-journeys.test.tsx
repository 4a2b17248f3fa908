import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type JourneyRun, journeyResults } from '../../../collector/analysis/probes/journey-results.ts';
import { journeysTable } from '../../../collector/analysis/tables/journeys-table.ts';
import { probesView } from '../../../collector/analysis/tables/probes-view.ts';
import { ENGLISH_TABLES } from '../../../collector/analysis/text/english-tables.ts';
import { probes } from '../../../collector/dashboard/probes/probes.tsx';
import { useMount } from './mount.tsx';
import { fleetSummary } from './summary-fixture.ts';

const mount = useMount();
const { root } = mount;
beforeAll(() => {
  const Observer = class {
    observe() {}
    disconnect() {}
  };
  vi.stubGlobal('ResizeObserver', Observer);
  vi.stubGlobal('MutationObserver', Observer);
});
afterAll(() => vi.unstubAllGlobals());
const MARKUP = '<img src=x onerror=alert(1)>';

const run = (site: string, at: number, name: string): JourneyRun => ({
  ...{ probe: 'order', target: 'erp', site, client: 'robot', at, steps: [null, 'covered'] },
  broke: {
    ...{ step: 2, reason: 'covered', detail: 'div#banner', lookedFor: ['aria/Save', '#save'] },
    page: {
      ...{ title: MARKUP, url: 'https://erp.test/orders', status: 200, consoleErrors: 2, failedRequests: 1 },
      nearest: [{ role: 'button', name }],
    },
  },
});

it('says under a journey that is down at which sites, since which run, what was looked for and what there was', async () => {
  const runs = [run('Berlin', 20, 'Save order'), run('Porto', 10, MARKUP), run('Porto', 0, 'Cancel')];
  const journeys = journeyResults(runs);
  const nothing = { thresholds: {}, trendStepMs: 1, users: { medians: new Map(), unknown: '' } };
  const view = probesView([], { ...nothing, journeys });
  const document = {
    ...{ journeys, paths: [], availability: { stepSeconds: 3600, steps: [], rows: [] } },
    ...{ view: { ...view, tables: [...view.tables, journeysTable(journeys, ENGLISH_TABLES)] } },
    ...{ turns: { run: 3, skipped: {} }, off: [], method: fleetSummary().method },
  };
  mount.client.read = async () => document as never;
  await mount.show(<probes.View />);
  const [lead, because] = [...root.querySelectorAll('.view-head p')].map(({ textContent }) => textContent);
  expect(lead).toMatch(
    /^order \(erp: Porto, Berlin\) has been down since .+, step 2: something covers the element \(div#banner\)\.$/,
  );
  expect(because).toBe(
    `Looked for aria/Save, #save; the page: “${MARKUP}”, https://erp.test/orders, status 200, errors in the console: 2, failed requests: 1; nearest: button “${MARKUP}”.`,
  );
  expect(root.querySelectorAll('img')).toHaveLength(0);
});
