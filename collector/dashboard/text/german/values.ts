import { GERMAN_CELLS } from '../../../analysis/text/german-cells.ts';
import type { DashboardTexts } from '../english/english.ts';

export const VALUES: DashboardTexts['values'] = {
  scenarios: {
    'http-new': 'HTTP, neue Verbindung',
    'http-reused': 'HTTP, bestehende Verbindung',
    'https-reused': 'HTTPS, bestehende Verbindung',
    'https-new': 'HTTPS, alles neu',
  },
  handshakes: {
    'https-new-resumed': 'HTTPS, neu, Sitzung wiederaufgenommen',
    'https-new-full': 'HTTPS, neu, voller Handshake',
  },
  cells: GERMAN_CELLS,
  groupSources: { page: 'Nutzer', probe: 'Testabrufe', import: 'importierte Aufzeichnungen' },
  sources: {
    page: 'Nutzer',
    'probe-script': 'Testabrufe: Skripte',
    'probe-http-new': 'Testabrufe: HTTP, neue Verbindung',
    'probe-http-reused': 'Testabrufe: HTTP, bestehende Verbindung',
    'probe-https-reused': 'Testabrufe: HTTPS, bestehende Verbindung',
    'probe-https-new': 'Testabrufe: HTTPS, alles neu',
    har: 'importierte Aufzeichnungen',
  },
};
