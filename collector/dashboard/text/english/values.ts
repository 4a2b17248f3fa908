import type { Scenario } from '../../../../shared/vocabulary/vocabulary.ts';

/** Values of dimensions in words; more are with what reports say too. */
export const VALUES = {
  scenarios: {
    'http-new': 'HTTP, new connection',
    'http-reused': 'HTTP, reused connection',
    'https-reused': 'HTTPS, reused connection',
    'https-new': 'HTTPS, everything new',
  } as Readonly<Record<Scenario, string>>,
  handshakes: {
    'https-new-resumed': 'HTTPS, new, session resumed',
    'https-new-full': 'HTTPS, new, full handshake',
  } as Readonly<Record<string, string>>,
  /** Other values that fill a whole cell of these tables: English has the names of JSON. */
  cells: {} as Readonly<Record<string, string>>,
  /** Sources as the tables of reports group them. */
  groupSources: { page: 'users', probe: 'probes', import: 'imported recordings' } as Readonly<Record<string, string>>,
  sources: {
    page: 'users',
    'probe-script': 'probes: scripts',
    'probe-http-new': 'probes: HTTP, new connection',
    'probe-http-reused': 'probes: HTTP, reused connection',
    'probe-https-reused': 'probes: HTTPS, reused connection',
    'probe-https-new': 'probes: HTTPS, everything new',
    har: 'imported recordings',
  } as Readonly<Record<string, string>>,
};
