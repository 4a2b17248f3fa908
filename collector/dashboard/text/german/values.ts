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
  groupSources: { page: 'Nutzer', probe: 'Proben', import: 'importierte Aufzeichnungen' },
  sources: {
    page: 'Nutzer',
    'probe-script': 'Proben: Skripte',
    'probe-http-new': 'Proben: HTTP, neue Verbindung',
    'probe-http-reused': 'Proben: HTTP, bestehende Verbindung',
    'probe-https-reused': 'Proben: HTTPS, bestehende Verbindung',
    'probe-https-new': 'Proben: HTTPS, alles neu',
    har: 'importierte Aufzeichnungen',
  },
};
