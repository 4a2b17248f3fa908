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
      todo: 'In a terminal on the collector’s machine, once the apps are saved:',
      done: 'The package fits the apps.',
    },
    install: {
      title: 'Install it in a browser',
      todo: 'Open the installation page in the browser to be measured: it shows how to install the extension and where its key goes. A policy does both in all browsers.',
      done: 'A browser has reported.',
    },
    numbers: {
      title: 'First numbers',
      todo: 'Use one of the apps in that browser. Its numbers appear here about a minute later.',
      done: '',
    },
  },
  toApps: 'Choose apps',
  toKeys: 'Create a key',
  toInstall: 'Open the installation page',
};
