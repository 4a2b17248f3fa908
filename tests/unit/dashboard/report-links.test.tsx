import { describe, expect, it } from 'vitest';
import { ReportLinks } from '../../../collector/dashboard/overview/report-links.tsx';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { useMount } from './mount.tsx';

describe('links to reports', () => {
  const mount = useMount();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

  it('ask for the language of the page and the time zone of its reader', async () => {
    await mount.show(<ReportLinks />, { state: parseViewState('?target=erp') });
    const links = [...mount.root.querySelectorAll('a')].map((link) => new URL(link.href, 'http://x').searchParams);
    expect(links.map((query) => query.get('format'))).toEqual(['html', 'pdf', 'csv']);
    for (const query of links) {
      expect([query.get('lang'), query.get('zone'), query.get('target')]).toEqual(['en', timeZone, 'erp']);
    }
  });
});
