export const APP = {
  roles: { read: 'Viewer', admin: 'Administrator' },
  signOut: 'Sign out',
  otherLanguage: { tag: 'de', name: 'Deutsch' },
};
