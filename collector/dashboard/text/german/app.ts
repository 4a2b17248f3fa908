import type { DashboardTexts } from '../english/english.ts';

export const APP: DashboardTexts['app'] = {
  roles: { read: 'Leserecht', admin: 'Administrator' },
  signOut: 'Abmelden',
  otherLanguage: { tag: 'en', name: 'English' },
};
