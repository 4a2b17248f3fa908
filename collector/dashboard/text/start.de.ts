import type { START as ENGLISH } from './start.ts';

export const START: typeof ENGLISH = {
  lead: 'Fünf Schritte führen zu den ersten Zahlen, ganz ohne Terminal. Diese Seite hakt ab, was erledigt ist.',
  done: '(erledigt)',
  steps: {
    apps: {
      title: 'Apps auswählen',
      todo: 'Geben Sie die Adresse einer App ein, die Ihre Nutzer im Browser öffnen. Für den Anfang genügt eine.',
      done: 'Die App ist gespeichert.',
    },
    key: {
      title: 'Schlüssel für Browser erstellen',
      todo: 'Browser senden mit einem Schlüssel, der nichts anderes erlaubt.',
      done: 'Der Schlüssel ist erstellt. Im vierten Schritt wird er für Sie eingetragen.',
    },
    package: {
      title: 'Erweiterung paketieren',
      todo: 'Der Collector paketiert die Erweiterung für diese Apps. Prüfen Sie vorher die Adresse: Unter ihr müssen die Browser Ihrer Nutzer diesen Collector erreichen.',
      done: 'Die Erweiterung ist paketiert.',
    },
    install: {
      title: 'In einem Browser installieren',
      todo: 'Probieren Sie sie erst in einem Browser aus, dann installiert eine Richtlinie sie in allen.',
      done: 'Ein Browser hat sich gemeldet.',
    },
    numbers: {
      title: 'Erste Zahlen',
      todo: 'Arbeiten Sie in diesem Browser mit einer der Apps. Ein, zwei Minuten später erscheinen ihre Zahlen hier von selbst.',
      done: '',
    },
  },
  address: 'Adresse einer App',
  anotherAddress: 'Adresse einer weiteren App',
  watch: 'Diese App beobachten',
  watched: ({ apps }) => `Beobachtet: ${apps}.`,
  toApps: 'Namen, mehrere Adressen und Ausnahmen stehen in den Einstellungen',
  problems: {
    noAddress: 'Das ist keine Adresse. Geben Sie sie so ein, wie Ihre Nutzer sie sehen, etwa https://erp.example.com.',
    known: 'Diese App wird schon beobachtet.',
  },
  key: 'Schlüssel für Browser',
  keyLabel: 'Browser',
  makeKey: 'Schlüssel erstellen',
  makeAnother: 'Weiteren Schlüssel erstellen',
  keyExists:
    'Es gibt einen Schlüssel für Browser. Er wurde nur einmal angezeigt; falls Sie ihn nicht mehr haben, erstellen Sie einen weiteren.',
  shownOnce: 'Er ist nur zu sehen, bis Sie diese Seite verlassen, und lässt sich danach nicht mehr auslesen.',
  collector: 'Adresse dieses Collectors für Browser',
  packageNow: 'Jetzt paketieren',
  packaging: 'Wird paketiert …',
  packageAgain: 'Neu paketieren',
  unencrypted:
    'Diese Adresse ist nicht verschlüsselt: Jeder im Netz könnte den Schlüssel lesen und die Erweiterung austauschen. Geben Sie eine Adresse mit https ein.',
  packageAnyway: 'Ohne Verschlüsselung paketieren',
  onlyHere: 'Diese Adresse erreichen nur Browser auf dem Rechner des Collectors selbst.',
  packagedFor: ({ version, collector }) =>
    collector === null ? `Version ${version} ist paketiert.` : `Version ${version} ist für ${collector} paketiert.`,
  keepSigningKey: (file) =>
    `Bewahren Sie eine Kopie von ${file} auf einem anderen Rechner auf: Ohne diesen Signaturschlüssel lässt sich die Erweiterung nie mehr aktualisieren.`,
  oneBrowser: 'In einem Browser, zum Ausprobieren',
  oneBrowserHow: 'Öffnen Sie diese Seite in dem Browser. Sie zeigt, was zu klicken ist und wo der Schlüssel hinkommt.',
  toInstall: 'Installationsseite öffnen',
  allBrowsers: 'In allen Browsern, per Richtlinie',
  allBrowsersHow:
    'Eine Richtlinie installiert die Erweiterung und gibt ihr den Schlüssel. Ihre Nutzer müssen nichts tun.',
  browser: 'Browser',
  system: 'System',
  systems: {
    linux: 'Linux',
    windows: 'Windows, Gruppenrichtlinie',
    macos: 'macOS',
    intune: 'Windows, Intune',
  },
  site: 'Standort (optional)',
  siteExample: 'Berlin',
  allowUnsigned: 'Firefox ESR, ohne Signatur von Mozilla',
  signature: 'Andere Ausgaben von Firefox installieren das Paket erst, wenn Mozilla es signiert hat.',
  showPolicy: 'Richtlinie anzeigen',
  policy: 'Richtlinie',
  place: {
    linux: 'Speichern Sie sie auf den Rechnern der Nutzer unter diesem Namen:',
    windows:
      'Importieren Sie sie auf einem Rechner als Administrator, oder übernehmen Sie sie mit dem Registrierungs-Assistenten in eine Gruppenrichtlinie.',
    macos: 'Laden Sie sie als eigenes Profil in Ihre Geräteverwaltung hoch.',
    intune: 'Legen Sie in Intune eine benutzerdefinierte Konfiguration an, mit einer Zeile je Einstellung darin.',
  },
  save: ({ file }) => `${file} speichern`,
  holdsKey: 'Darin steht der Schlüssel. Der Collector bewahrt weder ihn noch diesen Text auf.',
};
