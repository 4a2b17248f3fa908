import { GERMAN } from '../../analysis/text/german.ts';
import type { EVIDENCE as ENGLISH_EVIDENCE } from './evidence.ts';

const { count, ms, wholeShare } = GERMAN.numbers;
const batches = (n: number) => (n === 1 ? 'einem Paket' : `${count(n)} Paketen`);

export const EVIDENCE: typeof ENGLISH_EVIDENCE = {
  title: 'Datenlage',
  announced: (classes) => (classes === 1 ? 'Eine Klasse von Messungen' : `${classes} Klassen von Messungen`),
  noSamples: 'In diesem Zeitraum hat kein Browser eine Messung gesendet.',
  timed: (share, all) =>
    all === 1
      ? `Die einzige Messung geht zu ${wholeShare(share)} in die Zeiten ein.`
      : `${wholeShare(share)} von ${count(all)} Messungen gehen in die Zeiten ein.`,
  notTimed: (others, rest, further) => {
    const named = others.map(({ label, share }) => `${wholeShare(share)} ${label}`).join(', ');
    const tail =
      rest === 0 ? '' : `, ${wholeShare(rest)} aus ${further === 1 ? 'einem anderen Grund' : 'anderen Gründen'}`;
    return `Die übrigen werden nur gezählt: ${named}${tail}.`;
  },

  classes: {
    heading: 'Klassen von Messungen',
    title: 'Messungen nach Klasse',
    note: 'Jede Messung gehört zu genau einer Klasse.',
    table: 'Alle Messungen nach Klasse',
    columns: { label: 'Klasse', count: 'Messungen', share: 'Anteil', meaning: 'Bedeutung' },
    usable: 'gewertet',
    opaque: 'verborgen',
    cache: 'aus dem Cache',
    shareOf: (label, share) => `${label}: ${wholeShare(share)}`,
    countOf: (label, n, share) => `${label} ${count(n)} (${wholeShare(share)})`,
  },
  meanings: {
    usable: 'geht in alle Zeiten ein',
    opaque: 'ein fremder Server verbirgt seine Zeiten; um Timing-Allow-Origin bitten',
    cache: 'nichts ging über das Netz',
    abandoned: 'die Seite brach sie ab, bevor die Antwort vollständig war; sie hätte länger gedauert',
    failed: 'die Anfrage endete mit einem Fehler; gezählt, nicht gewertet',
    invalid: 'die Zeitstempel des Browsers widersprechen sich; nie korrigiert',
    worker: 'die Zeitstempel betreffen Seite und Service Worker, nicht das Netz',
    status: 'eine Antwort wie 401 oder 404 ist schnell und sagt nichts über die Seite',
    redirect: 'die Antwort war eine Umleitung',
    challenge: 'der Browser hat sich erst angemeldet; diese Zeit zählt als „blockiert“',
    warmup: 'erste Testabrufe, zum Aufwärmen',
    hidden: 'Browser drosseln Tabs im Hintergrund',
    bfcache: 'die Seite kam aus dem Vor-/Zurück-Cache',
    prerender: 'die Seite wurde vorab gerendert; niemand hat gewartet',
    rule: 'eigene Ausschlussregel',
    unproven: 'ein Testabruf, der sein Szenario nicht belegt',
  },

  cells: {
    title: 'Nach Host und Typ',
    columns: {
      host: 'Host',
      type: 'Typ',
      samples: 'Messungen',
      browsers: 'Browser',
      usable: 'Gewertet',
      opaque: 'Verborgen',
      cache: 'Cache',
      excluded: 'Ausgeschlossen',
      why: 'Gründe des Ausschlusses',
    },
  },
  unknown: {
    title: 'Unbekannte Zeiten gewerteter Messungen',
    columns: { time: 'Zeit', reason: 'Grund', count: 'Messungen' },
    times: { redirect: 'Umleitungen', ttfb: 'Bis zum ersten Byte', ttlb: 'Bis zum letzten Byte' },
    note: 'Unbekanntes zählt nie als 0. Auf einer bestehenden Verbindung gibt es kein DNS, TCP oder TLS zu messen; das ist keine Lücke.',
  },
  cache: 'Cache-Treffer und erneute Abrufe',
  missing: (reason) => `Cache und Versionen lassen sich nicht zeigen: ${reason}`,

  timing: {
    title: 'Um Timing-Allow-Origin bitten',
    none: 'Kein Host verbirgt seine Zeiten vor Ihren Seiten.',
    intro:
      'Diese Hosts verbergen ihre Zeiten vor den Seiten Ihrer Apps. Mit einem einzigen Antwort-Header können die Betreiber sie freigeben.',
    hidden: (app, opaque, all) => ` auf Seiten von ${app}: ${count(opaque)} von ${count(all)} Messungen verborgen`,
    copy: (host, header) => `Header für ${host} kopieren: ${header}`,
    several: 'Bei mehreren Zeilen muss der Server diejenige senden, die zum anfragenden Origin passt.',
  },

  browsers: {
    panel: 'Browser',
    title: 'Aktive Browser',
    intro: 'Browser, die sich in diesem Zeitraum gemeldet haben, mit ihrem zuletzt gemeldeten Zustand.',
    none: 'Kein Browser hat sich gemeldet. Ist die Erweiterung verteilt und ihr Schlüssel noch gültig?',
    truncated: 'Es sind mehr Browser, als hier gezählt werden können. Bitte nach Standort filtern.',
    tooFew: 'nicht gezeigt: zu wenige Browser',
    tiles: {
      reporting: 'Aktiv',
      last: (age) => `letzte Meldung ${age}`,
      collecting: 'Messung läuft',
      degraded: 'Eingeschränkt',
      notAllAllowed: 'nicht alle Apps erlaubt',
      unknown: 'Zustand unbekannt',
      older: 'ältere Erweiterungen',
      clocks: 'Falsche Uhren',
      corrected: 'um mehr als 1 s; korrigiert',
      silent: 'Seit einem Tag still',
    },
    degradedTip: 'Der Nutzer hat nicht alle Apps erlaubt oder eine Berechtigung zurückgenommen',
    states: { collecting: 'misst', degraded: 'eingeschränkt' },
    noLabel: '(ohne Namen)',
    sites: {
      title: 'Browser nach Standort',
      columns: { site: 'Standort', browsers: 'Browser', degraded: 'Eingeschränkt', last: 'Letzte Meldung' },
    },
    named: {
      title: 'Einzelne Browser',
      columns: {
        client: 'Browser',
        site: 'Standort',
        state: 'Zustand',
        version: 'Version',
        extension: 'Erweiterung',
        last: 'Letzte Meldung',
        clock: 'Uhrabweichung',
        waiting: 'Wartend',
        dropped: 'Verworfen',
        lost: 'Verloren',
      },
      notes: [
        'Die IDs sind zufällig und wechseln am Monatsersten. So löschen Sie die Daten eines Browsers: lastbyte erase --client ID.',
        'Uhrabweichung: beim letzten Paket vor (+) oder hinter (−) der Uhr des Collectors; die Zeiten wurden korrigiert.',
      ],
    },
  },
  versions: {
    title: 'Versionen von Browsern und Erweiterung',
    columns: {
      browser: 'Browser',
      extension: 'Erweiterung',
      browsers: 'Browser',
      samples: 'Messungen',
      last: 'Letzte Messung',
    },
    clocksRight: (all) => `In ${batches(all)} musste keine Uhr korrigiert werden.`,
    clocksWrong: (corrected, all, seconds) =>
      `In ${count(corrected)} von ${batches(all)} ging die Uhr um bis zu ${ms(seconds)} s falsch; die Zeiten wurden korrigiert.`,
  },
  losses: {
    title: 'Verluste',
    columns: { where: 'Wo', reason: 'Grund', count: 'Zeilen', browsers: 'Browser' },
    dropped: 'hat den Browser nie verlassen',
    rejected: 'vom Collector abgelehnt',
    lost: 'wurde nie zur Messung',
    ignored: 'in einer Messung weggelassen',
    notKept: 'vom Collector nicht gespeichert',
    note: 'Von jedem Browser seit der Installation seiner Erweiterung gezählt. docs/wire-format.md, docs/delivery.md und docs/operations.md erklären die Gründe.',
  },
};
