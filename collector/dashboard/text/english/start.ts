export const START = {
  lead: 'Five steps lead to the first numbers. This page ticks off what is done.',
  done: '(done)',
  steps: {
    apps: {
      title: 'Choose the apps',
      todo: 'Name the apps to watch and their addresses, and save.',
      done: 'The apps are saved.',
    },
    key: {
      title: 'Create a key for browsers',
      todo: 'Browsers send with a key that can do nothing else. It is shown once: keep it for the fourth step.',
      done: 'There is a key for browsers.',
    },
    package: {
      title: 'Package the extension',
      todo: 'On the collector’s machine, for the saved apps:',
      done: 'The package fits the apps.',
    },
    install: {
      title: 'Install it in a browser',
      todo: 'The installation page explains how, for one browser or by policy for all. The key goes into the policy or the extension’s options.',
      done: 'A browser has reported.',
    },
    numbers: {
      title: 'First numbers',
      todo: 'Open one of the apps in that browser. Its numbers appear here about a minute later.',
      done: '',
    },
  },
  toApps: 'Choose apps',
  toKeys: 'Create a key',
  toInstall: 'Open the installation page',
};
