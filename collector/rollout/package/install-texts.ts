/** Markup; whatever is passed in has been escaped. */
export interface InstallTexts {
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly chromeName: string;
  readonly otherBrowser: string;
  readonly mayMeasure: string;
  readonly onlyTheseHosts: string;
  readonly sends: string;
  readonly otherBrowsers: string;
  readonly tryIt: string;
  readonly version: (of: { readonly version: string; readonly id: string }) => string;
  readonly otherLanguage: { readonly lang: string; readonly name: string };
  readonly administrators: string;
  readonly toDashboard: string;
  readonly chromium: {
    readonly byPolicy: (of: {
      readonly name: string;
      readonly scheme: string;
      readonly needsManagement: boolean;
    }) => string;
    readonly steps: (of: { readonly file: string; readonly scheme: string }) => readonly string[];
  };
  readonly firefox: {
    readonly add: (file: string) => string;
    readonly asks: string;
    readonly unsigned: string;
    readonly tryUntilRestart: string;
    readonly steps: (file: string) => readonly string[];
  };
  /** The steps that the installed extension needs where neither a policy nor the package has its key. */
  readonly enrol: (of: { readonly collector: string; readonly isFilledIn: boolean }) => readonly string[];
  readonly nothing: { readonly heading: string; readonly lead: string; readonly how: string };
}

const ENGLISH: InstallTexts = {
  title: 'Install Lastbyte',
  heading: 'Lastbyte for this browser',
  lead: 'Measures how long you wait for the apps your organisation chose, and why.',
  chromeName: 'Chrome and Chromium',
  otherBrowser: 'This browser cannot be measured. Open this page in Chrome, Edge, Chromium or Firefox on a computer.',
  mayMeasure: 'What it may measure',
  onlyTheseHosts: 'Only these hosts, which include the collector’s, unless you permit others:',
  sends:
    'It sends times, host names and path templates to this collector. It never sends contents, headers, cookies, titles, or anything after a <code>?</code>. Its toolbar button shows what was sent, and pauses it.',
  otherBrowsers: 'Other browsers',
  tryIt: 'To try it on one machine',
  version: ({ version, id }) => `Version ${version} · Chromium id <code>${id}</code>`,
  otherLanguage: { lang: 'de', name: 'Deutsch' },
  administrators: 'Administrators find the policy in <a href="./?view=settings&amp;part=keys">the settings</a>.',
  toDashboard: 'To the dashboard',
  chromium: {
    byPolicy: ({ name, scheme, needsManagement }) =>
      `${name} installs an organisation’s own extension by policy${needsManagement ? ', on managed machines: joined to a domain or enrolled in device management' : ''}. It does so automatically, at the next start at the latest; <code>${scheme}://policy</code> shows whether yours has the policy. There is nothing to click.`,
    steps: ({ file, scheme }) => [
      `<a href="${file}" download>Download the package</a> and unpack it into a folder that stays.`,
      `Open <code>${scheme}://extensions</code> and switch on <b>Developer mode</b>.`,
      'Choose <b>Load unpacked</b>, and that folder.',
    ],
  },
  firefox: {
    add: (file) => `<a class="button" href="${file}">Add to Firefox</a>`,
    asks: 'Firefox asks whether this site may install an add-on, and what the add-on may do. If your organisation manages Firefox, it is installed automatically.',
    unsigned:
      'This package is not signed by Mozilla. Only Firefox ESR accepts it, if an administrator’s policy allows that.',
    tryUntilRestart: 'To try it until the next start',
    steps: (file) => [
      `<a href="${file}" download>Download the package</a> by the link’s menu, <b>Save Link As</b>.`,
      'Open <code>about:debugging#/runtime/this-firefox</code>.',
      'Choose <b>Load Temporary Add-on</b>, and the file.',
    ],
  },
  enrol: ({ collector, isFilledIn }) => [
    'Click Lastbyte in the toolbar (it may be behind the puzzle piece), then <b>Options</b>.',
    `Enter the key, which your administrator has${isFilledIn ? '' : `, and the address <code>${collector}</code>`}, and choose <b>Test and save</b>.`,
  ],
  nothing: {
    heading: 'Nothing to install yet',
    lead: 'The extension has not been packaged on this collector.',
    how: 'If you run it, package it in <a href="./">the dashboard</a>, which leads through the steps.',
  },
};

const GERMAN: InstallTexts = {
  title: 'Lastbyte installieren',
  heading: 'Lastbyte für diesen Browser',
  lead: 'Misst, wie lange Sie auf die Apps warten, die Ihr Unternehmen ausgewählt hat, und woran es liegt.',
  chromeName: 'Chrome und Chromium',
  otherBrowser:
    'In diesem Browser lässt sich nicht messen. Öffnen Sie diese Seite auf einem Computer in Chrome, Edge, Chromium oder Firefox.',
  mayMeasure: 'Wo gemessen werden darf',
  onlyTheseHosts: 'Nur auf diesen Hosts, darunter dem des Collectors, sofern Sie keine weiteren erlauben:',
  sends:
    'Zeiten, Hostnamen und Pfadvorlagen gehen an diesen Collector, niemals Inhalte, Header, Cookies, Titel oder was nach einem <code>?</code> kommt. Die Schaltfläche in der Symbolleiste zeigt, was gesendet wurde, und pausiert die Messung.',
  otherBrowsers: 'Andere Browser',
  tryIt: 'Zum Ausprobieren auf einem Rechner',
  version: ({ version, id }) => `Version ${version} · Chromium-ID <code>${id}</code>`,
  otherLanguage: { lang: 'en', name: 'English' },
  administrators:
    'Für die Administration steht die Richtlinie in <a href="./?view=settings&amp;part=keys">den Einstellungen</a>.',
  toDashboard: 'Zum Dashboard',
  chromium: {
    byPolicy: ({ name, scheme, needsManagement }) =>
      `${name} installiert eine unternehmenseigene Erweiterung per Richtlinie${needsManagement ? ', und zwar auf verwalteten Rechnern: Mitgliedern einer Domäne oder einer Geräteverwaltung' : ''}. Das geschieht von selbst, spätestens beim nächsten Start; <code>${scheme}://policy</code> zeigt, ob Ihr Browser die Richtlinie hat. Sie müssen nichts anklicken.`,
    steps: ({ file, scheme }) => [
      `<a href="${file}" download>Laden Sie das Paket herunter</a> und entpacken Sie es in einen Ordner, der bestehen bleibt.`,
      `Öffnen Sie <code>${scheme}://extensions</code> und schalten Sie den <b>Entwicklermodus</b> ein.`,
      'Wählen Sie <b>Entpackte Erweiterung laden</b> und diesen Ordner.',
    ],
  },
  firefox: {
    add: (file) => `<a class="button" href="${file}">Zu Firefox hinzufügen</a>`,
    asks: 'Firefox fragt, ob diese Website ein Add-on installieren darf und was das Add-on darf. Verwaltet Ihr Unternehmen Firefox, wird es von selbst installiert.',
    unsigned:
      'Dieses Paket ist nicht von Mozilla signiert. Nur Firefox ESR nimmt es an, sofern eine Richtlinie das erlaubt.',
    tryUntilRestart: 'Zum Ausprobieren bis zum nächsten Start',
    steps: (file) => [
      `<a href="${file}" download>Laden Sie das Paket herunter</a>, und zwar über das Kontextmenü des Links: <b>Ziel speichern unter</b>.`,
      'Öffnen Sie <code>about:debugging#/runtime/this-firefox</code>.',
      'Wählen Sie <b>Temporäres Add-on laden</b> und die Datei.',
    ],
  },
  enrol: ({ collector, isFilledIn }) => [
    'Klicken Sie in der Symbolleiste auf Lastbyte (eventuell hinter dem Puzzleteil), dann auf <b>Einstellungen</b>.',
    `Geben Sie ${isFilledIn ? '' : `die Adresse <code>${collector}</code> und `}den Schlüssel ein, den Sie von Ihrer Administration erhalten, und wählen Sie <b>Prüfen und speichern</b>.`,
  ],
  nothing: {
    heading: 'Noch nichts zu installieren',
    lead: 'Auf diesem Collector wurde die Erweiterung noch nicht paketiert.',
    how: 'Wenn Sie ihn betreiben, paketieren Sie sie im <a href="./">Dashboard</a>, das Sie durch die Schritte führt.',
  },
};

export type InstallLanguage = 'en' | 'de';

export const INSTALL_TEXTS: Readonly<Record<InstallLanguage, InstallTexts>> = { en: ENGLISH, de: GERMAN };
