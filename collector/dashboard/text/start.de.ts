import type { START as ENGLISH } from './start.ts';

export const START: typeof ENGLISH = {
  lead: 'Fünf Schritte führen zu den ersten Zahlen, ganz ohne Terminal. Diese Seite hakt ab, was erledigt ist.',
  done: '(erledigt)',
  steps: {
    apps: {
      title: 'Apps auswählen',
      todo: 'Geben Sie die Adresse einer App ein, die Ihre Nutzer im Browser öffnen. Für den Anfang genügt eine.',
    },
    key: {
      title: 'Schlüssel für Browser erstellen',
      todo: 'Browser senden mit einem Schlüssel, der nichts anderes erlaubt.',
    },
    package: {
      title: 'Erweiterung paketieren',
      todo: 'Der Collector paketiert die Erweiterung für diese Apps. Prüfen Sie vorher die Adresse: Unter ihr müssen die Browser Ihrer Nutzer diesen Collector erreichen.',
    },
    install: {
      title: 'In einem Browser installieren',
      todo: 'Probieren Sie sie erst in einem Browser aus, dann installiert eine Richtlinie sie in allen.',
    },
    numbers: {
      title: 'Erste Zahlen',
      todo: 'Arbeiten Sie in diesem Browser mit einer der Apps. Ein, zwei Minuten später erscheinen ihre Zahlen hier von selbst.',
    },
  },
  address: 'Adresse einer App',
  anotherAddress: 'Adresse einer weiteren App',
  watch: 'Diese App beobachten',
  watched: ({ apps }) => `Beobachtet: ${apps}.`,
  toApps: 'Namen, mehrere Adressen und Ausnahmen stehen in den Einstellungen',
  problems: {
    noAddress: 'Das ist keine Adresse. Geben Sie sie so ein, wie Ihre Nutzer sie sehen, etwa https://erp.example.com.',
    several: 'Bitte geben Sie die Adressen einzeln ein.',
    refused:
      'Der Collector lehnt die Einstellungen mit dieser App ab. Fügen Sie sie in den Einstellungen hinzu; dort steht, was nicht stimmt.',
    known: 'Diese App wird schon beobachtet.',
  },
  key: 'Schlüssel für Browser',
  keyLabel: 'Browser',
  makeKey: 'Schlüssel erstellen',
  makeAnother: 'Weiteren Schlüssel erstellen',
  keyExists:
    'Es gibt einen Schlüssel für Browser. Er wurde nur einmal angezeigt; falls Sie ihn nicht mehr haben, erstellen Sie einen weiteren.',
  shownOnce: 'Er ist nur zu sehen, bis Sie diese Seite verlassen, und lässt sich danach nicht mehr auslesen.',
  keyReady: 'Der Schlüssel ist erstellt. Im vierten Schritt wird er für Sie eingetragen.',
  reported: 'Ein Browser hat sich gemeldet.',
  collector: 'Adresse dieses Collectors für Browser',
  packageNow: 'Jetzt paketieren',
  packaging: 'Wird paketiert …',
  packageAgain: 'Neu paketieren',
  allowHttp:
    'Diese Adresse ist nicht verschlüsselt: Jeder im Netz könnte den Schlüssel lesen und die Erweiterung austauschen. Ich nehme das in Kauf.',
  onlyHere: 'Diese Adresse erreichen nur Browser auf dem Rechner des Collectors selbst.',
  packagedFor: ({ version, collector }) =>
    collector === null ? `Version ${version} ist paketiert.` : `Version ${version} ist für ${collector} paketiert.`,
  lacking: ({ version, n }) =>
    `Paket ${version} enthält ${n === 1 ? 'diesen Host' : 'diese Hosts'} nicht, die Browser müssten also ihre Nutzer fragen:`,
  keepSigningKey: ({ signingKey }) =>
    `Bewahren Sie eine Kopie von ${signingKey} auf einem anderen Rechner auf: Ohne diesen Signaturschlüssel lässt sich die Erweiterung nie mehr aktualisieren.`,
  stillLacking:
    'Den Paketen fehlen noch die Hosts, die im dritten Schritt stehen. Paketieren Sie neu, bevor Sie sie in Browsern installieren.',
  oneBrowser: 'In einem Browser, zum Ausprobieren',
  oneBrowserHow: 'Öffnen Sie diese Seite in dem Browser. Sie zeigt, was zu klicken ist und wo der Schlüssel hinkommt.',
  toInstall: 'Installationsseite öffnen',
  allBrowsers: 'In allen Browsern, per Richtlinie',
  allBrowsersHow:
    'Eine Richtlinie installiert die Erweiterung und gibt ihr den Schlüssel. Ihre Nutzer müssen nichts tun.',
  browser: 'Browser',
  system: 'System',
  formats: { reg: 'Windows, Gruppenrichtlinie', intune: 'Windows, Intune', plist: 'macOS', json: 'Linux' },
  site: 'Standort (optional)',
  share: 'Zuerst nur … % der Browser (optional)',
  allowUnsigned: 'Für Firefox ESR, ohne Signatur von Mozilla, die alle anderen Ausgaben verlangen',
  showPolicy: 'Richtlinie anzeigen',
  policy: 'Richtlinie',
  places: {
    json: 'Speichern Sie sie auf den Rechnern der Nutzer unter diesem Namen:',
    reg: 'Importieren Sie sie auf einem Rechner als Administrator, oder übernehmen Sie sie mit dem Registrierungs-Assistenten in eine Gruppenrichtlinie.',
    plist: 'Laden Sie sie als eigenes Profil in Ihre Geräteverwaltung hoch.',
    intune: 'Legen Sie in Intune eine benutzerdefinierte Konfiguration an, mit einer Zeile je Einstellung darin.',
  },
  save: ({ file }) => `${file} speichern`,
  holdsKey: 'Darin steht der Schlüssel. Der Collector bewahrt weder ihn noch diesen Text auf.',
};
