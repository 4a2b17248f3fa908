import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { MAX_INTERVAL_WIDTH, MIN_BROWSERS, MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import { FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import { OF_ENGINE } from '../../reductions/cell-aggregate.ts';
import type { FindingPart } from '../summary/finding.ts';
import type { VerdictWord } from '../summary/summary-document.ts';
import type { Texts } from './english.ts';
import { monthName } from './month-name.ts';
import { numberWords } from './numbers.ts';

const numbers = numberWords('de');
const { amount, count, difference: signed, fixed, limit, share } = numbers;
const ms = (value: number) => `${amount(value)} ms`;

const TAIL_PHASES = {
  blocked: 'Anstehen im Browser',
  wait: 'Warten auf den Server',
  receive: 'Empfang des Inhalts',
} as const;

const VERDICTS: Readonly<Record<VerdictWord, string>> = {
  tls: 'TLS',
  network: 'Netz',
  server: 'Server',
  download: 'Download',
  client: 'der Browser selbst',
  unknown: 'keine einzelne Ursache',
};

const DIMENSIONS: Texts['dimensions'] = {
  host: 'Host',
  type: 'Typ',
  connection: 'Verbindung',
  protocol: 'Protokoll',
  scheme: 'Schema',
  scenario: 'Szenario',
  handshake: 'Handshake',
  source: 'Quelle',
  site: 'Standort',
  target: 'App',
  template: 'Seite',
  browser: 'Browser',
  browserVersion: 'Browser-Version',
  extension: 'Erweiterung',
  journey: 'Ablauf',
  journeyStep: 'Schritt des Ablaufs',
};

export const GERMAN: Texts = {
  language: 'de',
  numbers,
  dimensions: DIMENSIONS,
  phases: { blocked: 'Blockiert', dns: 'DNS', tcp: 'TCP', tls: 'TLS', wait: 'Warten', receive: 'Empfang' },
  workerStart: 'Start des Service Workers',
  phaseMeanings: {
    blocked: 'Anstehen im Browser: vor Namensauflösung, Verbindungsaufbau und Anfrage',
    dns: 'Namensauflösung, bei neuen Verbindungen',
    tcp: 'TCP-Verbindungsaufbau, bei neuen Verbindungen',
    tls: 'TLS-Handshake, bei neuen Verbindungen',
    wait: 'Von der Anfrage bis zum ersten Byte: ein Umlauf im Netz und der Server',
    receive: 'Vom ersten bis zum letzten Byte',
  },
  verdicts: {
    tls: 'TLS',
    network: 'Netz',
    server: 'Server',
    download: 'Download',
    client: 'Client',
    unknown: 'Unklar',
  },
  verdictMeanings: {
    tls: 'TLS-Handshakes sind der größte Teil der mittleren Zeit',
    network: 'Namensauflösung, Verbindungsaufbau und ein Umlauf im Netz sind der größte Teil der mittleren Zeit',
    server: 'Das Warten auf den Server ist der größte Teil der mittleren Zeit',
    download: 'Der Empfang des Inhalts ist der größte Teil der mittleren Zeit',
    client: 'Das Anstehen im Browser ist der größte Teil der mittleren Zeit',
    unknown: 'Kein Anteil ist groß genug, um als alleinige Ursache zu gelten',
  },
  noVerdicts: {
    no_samples: 'Es wurde nichts gemessen',
    no_round_trip: 'Es gab keine neue Verbindung, anhand derer sich Netz und Server trennen ließen',
    no_leader: 'Kein Anteil macht 40 % der mittleren Zeit aus und ist 1,5-mal so groß wie der nächste',
  },
  exclusions: {
    failed: 'fehlgeschlagen',
    abandoned: 'von der Seite abgebrochen',
    invalid: 'Zeitstempel nicht in der richtigen Reihenfolge',
    worker: 'vom Service Worker beantwortet',
    status: 'Antwort mit anderem Status als 2xx oder 3xx',
    redirect: 'umgeleitet',
    challenge: 'der Browser musste sich erst anmelden',
    warmup: 'Aufwärmen',
    hidden: 'Tab im Hintergrund',
    bfcache: 'aus dem Vor-/Zurück-Cache',
    prerender: 'vorab gerendert',
    rule: 'durch eine eigene Regel ausgeschlossen',
    unproven: 'Testabruf, der sein Szenario nicht belegt',
  },
  keepMeasuringReasons: {
    few_samples: `weniger als ${MIN_SAMPLES} Messungen`,
    few_browsers: `weniger als ${MIN_BROWSERS} Browser`,
    wide_interval: `der Median ist noch nicht auf ${100 * MAX_INTERVAL_WIDTH} % genau bekannt`,
  },
  scenarios: {
    'http-new': 'HTTP, neue Verbindung',
    'http-reused': 'HTTP, bestehende Verbindung',
    'https-reused': 'HTTPS, bestehende Verbindung',
    'https-new': 'HTTPS, alles neu',
    'https-new-resumed': 'HTTPS, neu, Sitzung wiederaufgenommen',
    'https-new-full': 'HTTPS, neu, voller Handshake',
  },
  connections: {
    new: 'neue Verbindung',
    reused: 'bestehende Verbindung',
    cache: 'aus dem Cache',
    opaque: 'verborgen',
    worker: 'Service Worker',
    failed: 'fehlgeschlagen',
    unknown: 'unbekannt',
  },
  unknown: {
    [OF_ENGINE]: 'dieser Browser liefert diese Angabe nicht',
    plain_http: 'HTTP ohne TLS',
    no_tls_stamp: 'kein Zeitstempel für den Beginn von TLS',
    opaque: 'fremder Server sendet kein Timing-Allow-Origin',
    cache: 'aus dem Cache des Browsers',
    worker: 'vom Service Worker beantwortet',
    failed: 'Anfrage fehlgeschlagen',
    invalid: 'Zeitstempel nicht in der richtigen Reihenfolge',
    preconnected: 'Chromium hatte die Verbindung schon vorher geöffnet',
    begun_earlier: 'nicht belegt, dass die Verbindung für diese Anfrage geöffnet wurde',
    queued: 'Firefox zählt das Anstehen um eine Verbindung zum Verbindungsaufbau',
    merged_h3: 'HTTP/3 baut beides gemeinsam auf',
    hidden_redirect: 'durch eine Umleitung über einen fremden Server verdeckt',
    firefox_dns: 'Firefox zählt die Namensauflösung zu „blockiert“',
    firefox_tls13: 'Firefox meldet das erste Byte nach vollem TLS-1.3-Handshake zu früh',
    not_recorded: 'in der Aufzeichnung nicht enthalten',
  },

  all: 'Alle Anfragen',
  none: '(keine)',
  noneOf: (dimension) => `${DIMENSIONS[dimension]} (keine)`,
  types: {
    document: 'Dokumente',
    script: 'Skripte',
    style: 'Stylesheets',
    image: 'Bilder',
    font: 'Schriften',
    fetch: 'Datenabfragen',
    iframe: 'Frames',
    media: 'Medien',
    beacon: 'Beacons',
    other: 'übrige Anfragen',
    long_lived: 'offen gehaltene Anfragen',
  },
  keepMeasuring: {
    few_samples: 'wenige Messungen',
    few_browsers: 'wenige Browser',
    wide_interval: 'breites Intervall',
  },
  browsersOfMonth: {
    column: 'Browser (stärkster Monat)',
    month: (month) => monthName(month, 'de'),
    inMonth: (month) => `im ${monthName(month, 'de')}, dem stärksten Monat`,
    note: 'Gezählt sind die Browser des stärksten Monats: Ihre IDs wechseln am Monatsersten, mehrere Monate zusammen würden jeden Browser mehrfach zählen.',
  },
  withFewBrowsers: (group) => `${group} und wenige Browser`,
  folded: ({ below, shownTogether }) =>
    `Gruppen mit wenigen Browsern ${shownTogether ? `sind nur gemeinsam als „${FEW_BROWSERS}“ aufgeführt` : 'fehlen'}, damit keine Zahl etwas über weniger als ${below} Browser verrät, weder direkt noch durch Differenzbildung`,

  finding: {
    allRequests: 'alle Anfragen',
    dimension: (dimension) => (dimension === 'target' ? 'App' : DIMENSIONS[dimension]),
    times: (subject, { median, mean }) => `${subject}: Median ${ms(median)}, Mittelwert ${ms(mean)}.`,
    noGap: 'Median und Mittelwert stimmen überein.',
    gap: (ratio, total) =>
      ratio === null
        ? `Der Mittelwert liegt ${ms(total)} über einem Median von 0`
        : `Der Mittelwert ist das ${amount(ratio)}-Fache des Medians`,
    gapSize: (total) => `${ms(Math.abs(total))} ${total < 0 ? 'darunter' : 'darüber'}`,
    adds: (part) => {
      const [adds, takes] = part.part === 'spread' ? ['bringt', 'nimmt'] : ['bringen', 'nehmen'];
      const effect = part.ms < 0 ? `${takes} ${ms(-part.ms)} weg` : `${adds} ${ms(part.ms)} hinzu`;
      return `${partName(part, 'nominative')} ${effect}`;
    },
    cameFrom: (total, [first, ...others]) =>
      [
        first.part === 'tail'
          ? `${share(first.share)} der Anfragen dauern über ${limit(first.from)}${waitingFor(first)}; sie machen ${amount(first.ms)} der ${amount(total)} ms zwischen Median und Mittelwert aus`
          : `von den ${amount(total)} ms dazwischen stammen ${ms(first.ms)} aus ${partName(first, 'dative')}`,
        ...others.map(
          (part) => `${ms(part.ms)} ${first.part === 'tail' ? 'stammen ' : ''}aus ${partName(part, 'dative')}`,
        ),
      ].join(', '),
    abandoned: (part, after) =>
      `${share(part)} der Anfragen brach die Seite vor ihrem Ende ab${after === null ? '' : `, nach ≥ ${limit(after)} (Median)`}: Die langsamsten fehlen womöglich.`,
    few: (n) => `Das beruht auf nur ${count(n)} ${n === 1 ? 'Anfrage' : 'Anfragen'}.`,
    busiest: (part) => `Ein einziger Browser stellt ${numbers.wholeShare(part)} der Anfragen.`,
    tls: (mean, median) => `Je Anfrage kostet TLS im Mittel ${ms(mean)} und im Median ${ms(median)}.`,
    mergedHandshakes:
      'HTTP/3 fasst TCP und TLS in einem Handshake zusammen, daher lässt sich nicht sagen, was TLS je Anfrage kostet.',
    verdict: (verdict) => `Hauptursache bei einer typischen Anfrage und im Mittel: ${VERDICTS[verdict]}.`,
    twoVerdicts: (typical, average) =>
      `Hauptursache: ${VERDICTS[typical]} bei einer typischen Anfrage, ${VERDICTS[average]} im Mittel.`,
    behindEndpoint: 'TCP endet an einem Proxy, VPN oder CDN nahe den Nutzern; „Server“ meint alles dahinter.',
    nearbyEndpoint:
      'Hauptursache bei einer typischen Anfrage und im Mittel: der Server oder der Weg dorthin. TCP endet an einem Proxy, VPN oder CDN nahe den Nutzern; gemeint ist alles dahinter.',
    noVerdict: (reason) =>
      `Hauptursache: unklar, ${
        {
          no_samples: 'es wurde nichts gemessen',
          no_round_trip: 'es gab keine neue Verbindung, anhand derer sich Netz und Server trennen ließen',
          no_leader: 'kein Anteil ist groß genug, um als alleinige Ursache zu gelten',
        }[reason]
      }.`,
    variesWidely: ([p25, p75]) => `Die Zeiten streuen stark: die mittlere Hälfte dauert ${amount(p25)} bis ${ms(p75)}.`,
    keepMeasuring: (reasons) => {
      const words = {
        few_samples: `es sind weniger als ${MIN_SAMPLES} Messungen`,
        few_browsers: `es sind weniger als ${MIN_BROWSERS} Browser`,
        wide_interval: `der Median ist noch nicht auf ${100 * MAX_INTERVAL_WIDTH} % genau bekannt`,
      };
      return `Weiter messen: ${reasons.map((reason) => words[reason]).join(', und ')}.`;
    },
  },

  overhead: {
    nothing: 'nichts Messbares',
    cost: (by) => `${fixed(Math.abs(by), Math.abs(by) < 10 ? 1 : 0)} ms${by < 0 ? ' weniger als HTTP' : ''}`,
    reused: (cost) => `${cost} je Anfrage auf einer bestehenden Verbindung`,
    fresh: (cost) => `${cost}, wenn alles neu ist`,
    unknown: 'Was HTTPS auf diesem Weg kostet, ist unbekannt: Die Gründe stehen neben jedem Szenario.',
    known: (parts) => `HTTPS kostet auf diesem Weg ${parts.join(' und ')}`,
    perRequest: (reuse, cost) =>
      `im Mittel ${cost} je Anfrage, da die Nutzer zu ${Math.floor(reuse * 100)} % eine bestehende Verbindung nutzen`,
  },

  change: {
    onNeitherSide: 'weder vorher noch nachher gemessen',
    notBefore: (median) => `vorher nicht gemessen; jetzt liegt der Median bei ${ms(median)}`,
    notAfter: (median) => `nicht mehr gemessen; der Median lag bei ${ms(median)}`,
    medians: (before, after) => `Median vorher ${ms(before)}, nachher ${ms(after)}`,
    changed: (difference) =>
      `Es ist ${ms(Math.abs(difference))} ${difference > 0 ? 'langsamer' : 'schneller'} geworden`,
    unchanged: 'Keine gesicherte Veränderung',
    tooSmall: `weniger als ${MIN_RELATIVE_CHANGE * 100} % des Medians`,
    belowClockStep: 'weniger, als die Uhren der Browser messen können',
    interval: (difference, [low, high]) => `${signed(difference)} ms; 95 %: ${signed(low)} bis ${signed(high)} ms`,
    because: {
      unknown_browsers:
        'Die Browser sind nicht bekannt; für das Intervall wurden deshalb Anfragen statt Browser gezogen. Die wahre Unsicherheit ist größer.',
      chosen_browsers:
        'Testabrufe und Aufzeichnungen stammen von ausgewählten Rechnern; für das Intervall wurden deshalb Anfragen gezogen. Das Ergebnis gilt nur für diese Rechner.',
    },
    notCompared: {
      not_measured: 'Nicht verglichen: Eine Seite wurde nicht gemessen.',
      few_samples: `Nicht verglichen: Jede Seite braucht mindestens ${MIN_SAMPLES} Anfragen.`,
      few_browsers: `Nicht verglichen: Jede Seite braucht mindestens ${MIN_BROWSERS} Browser.`,
    },
  },

  chart: {
    median: 'Median',
    average: 'Mittelwert',
    medianOf: (value) => `Median ${value} ms`,
    averageOf: (value) => `Mittelwert ${value} ms`,
    setup: 'Verbindungsaufbau',
    tail: ({ tailFrom, tailSamples }) => `Über ${limit(tailFrom)} (n ${count(tailSamples)})`,
    spread: 'Übrige Streuung',
    notAttributed: 'Nicht zugeordnet',
    ofAverage: 'vom Mittelwert',
    undivided: 'Warten, nicht teilbar',
    belowClockStep: 'Der Median ist kürzer, als die Uhren dieser Browser messen können',
    perRequest: 'je Anfrage',
    perConnection: 'je Verb.',
    newConnectionsOnly: 'je Verbindung, nur neue',
    medianAndAverage: (median, average) => `Median ${median}, Mittelwert ${average}`,
    middleHalf: (p25, p75) => `mittlere Hälfte ${p25} bis ${p75} ms`,
    unknownPhase: 'Das blasse Ende ist Zeit, deren Phase unbekannt ist.',
    partlyKnown:
      'Manche Phasen sind nur für einen Teil der Anfragen bekannt, daher ragen die Abschnitte über den Mittelwert hinaus.',
    day: (at) => {
      const [month, day] = new Date(at).toISOString().slice(5, 10).split('-');
      return `${day}.${month}.`;
    },
    reused: 'keine neue Verbindung: alle bestanden schon',
    notMeasured: 'nicht gemessen',
    nothingUsable: (opaque, cache, excluded) => {
      const parts = [
        ...(opaque > 0 ? [`${count(opaque)} vom Browser verborgen (kein Timing-Allow-Origin)`] : []),
        ...(cache > 0 ? [`${count(cache)} aus dem Cache`] : []),
        ...(excluded > 0 ? [`${count(excluded)} ausgeschlossen`] : []),
      ];
      return `nichts Verwertbares: ${parts.length > 0 ? parts.join(', ') : 'keine Messungen'}`;
    },
  },
};

function waitingFor({ phase }: Extract<FindingPart, { part: 'tail' }>): string {
  return phase === null ? '' : ` (${TAIL_PHASES[phase]})`;
}

function partName(part: FindingPart, grammar: 'nominative' | 'dative'): string {
  const dative = grammar === 'dative';
  switch (part.part) {
    case 'tail':
      return `${dative ? 'den' : 'die'} ${share(part.share)} der Anfragen über ${limit(part.from)}${waitingFor(part)}`;
    case 'spread':
      return `${dative ? 'der' : 'die'} Streuung gewöhnlicher Anfragen`;
    case 'setup': {
      const tls = part.tls === null ? '' : `, davon TLS ${ms(part.tls)}`;
      const cost = `(Median ${ms(part.median)}${tls})`;
      const the = dative ? 'den' : 'die';
      if (part.share === 1) return `${the} neuen Verbindungen aller Anfragen ${cost}`;
      return `${the} ${amount(100 * part.share)} % der Anfragen mit neuer Verbindung ${cost}`;
    }
  }
}
