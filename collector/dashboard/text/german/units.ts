import type { DashboardTexts } from '../english/english.ts';

const number = new Intl.NumberFormat('de');

export const UNITS: DashboardTexts['units'] = {
  justNow: 'gerade eben',
  secondsAgo: (n) => `vor ${n} s`,
  minutesAgo: (n) => `vor ${n} min`,
  hoursAgo: (n) => `vor ${n} h`,
  daysAgo: (n) => (n === 1 ? 'vor einem Tag' : `vor ${number.format(n)} Tagen`),
};
