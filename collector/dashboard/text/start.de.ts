import type { START as ENGLISH } from './start.ts';

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
      todo: 'In einem Terminal auf dem Rechner des Collectors, sobald die Apps gespeichert sind:',
      done: 'Das Paket passt zu den Apps.',
    },
    install: {
      title: 'In einem Browser installieren',
      todo: 'Öffnen Sie die Installationsseite in dem Browser, in dem gemessen werden soll: Sie zeigt, wie man die Erweiterung installiert und wo der Schlüssel hinkommt. Eine Richtlinie erledigt beides in allen Browsern.',
      done: 'Ein Browser hat sich gemeldet.',
    },
    numbers: {
      title: 'Erste Zahlen',
      todo: 'Arbeiten Sie in diesem Browser mit einer der Apps. Etwa eine Minute später erscheinen hier ihre Zahlen.',
      done: '',
    },
  },
  toApps: 'Apps auswählen',
  toKeys: 'Schlüssel erstellen',
  toInstall: 'Installationsseite öffnen',
};
