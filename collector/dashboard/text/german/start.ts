import type { START as ENGLISH } from '../english/start.ts';

export const START: typeof ENGLISH = {
  lead: 'Fünf Schritte führen zu den ersten Zahlen. Diese Seite hakt ab, was erledigt ist.',
  done: '(erledigt)',
  steps: {
    apps: {
      title: 'Apps auswählen',
      todo: 'Nennen Sie die Apps und ihre Adressen, und speichern Sie.',
      done: 'Die Apps sind gespeichert.',
    },
    key: {
      title: 'Schlüssel für Browser erstellen',
      todo: 'Browser senden mit einem Schlüssel, der nichts anderes erlaubt. Er wird nur einmal angezeigt: Bewahren Sie ihn für den vierten Schritt auf.',
      done: 'Es gibt einen Schlüssel für Browser.',
    },
    package: {
      title: 'Erweiterung paketieren',
      todo: 'Auf dem Rechner des Collectors, für die gespeicherten Apps:',
      done: 'Das Paket passt zu den Apps.',
    },
    install: {
      title: 'In einem Browser installieren',
      todo: 'Die Installationsseite zeigt wie: in einem Browser oder per Richtlinie in allen. Der Schlüssel kommt in die Richtlinie oder in die Einstellungen der Erweiterung.',
      done: 'Ein Browser hat sich gemeldet.',
    },
    numbers: {
      title: 'Erste Zahlen',
      todo: 'Öffnen Sie in diesem Browser eine der Apps. Etwa eine Minute später erscheinen hier ihre Zahlen.',
      done: '',
    },
  },
  toApps: 'Apps auswählen',
  toKeys: 'Schlüssel erstellen',
  toInstall: 'Installationsseite öffnen',
};
