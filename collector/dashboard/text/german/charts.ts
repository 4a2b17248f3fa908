import { numbersOf } from '../../../analysis/text/numbers.ts';
import type { DashboardTexts } from '../english/english.ts';

const { count, ms } = numbersOf('de');

export const CHARTS: DashboardTexts['charts'] = {
  asTable: 'Als Tabelle anzeigen',
  download: (title, format) => `Diagramm „${title}“ als ${format} herunterladen`,
  notDrawn: (problem) => `Das Diagramm ließ sich nicht zeichnen (${problem}). Die Tabelle enthält seine Zahlen.`,
  noCanvas: 'Dieser Browser stellt keine Zeichenfläche bereit.',
  noPng: 'Dieser Browser konnte das Bild nicht kodieren.',

  median: 'Median',
  average: 'Mittelwert',
  medianOf: (value) => `Median ${value}`,
  averageOf: (value) => `Mittelwert ${value}`,
  peak: (name) => `Gipfel ${name}`,
  timeout: (pause) => `Timeout etwa ${pause}`,
  medianHead: 'Median',
  averageHead: 'Mittelwert',
  from: 'Von',
  to: 'Bis',
  n: 'n',

  values: (title, canOpen, canZoom) =>
    `Werte von „${title}“: Pfeiltasten bewegen${canOpen ? ', Eingabetaste zeigt die Anfragen' : ''}${canZoom ? ', Umschalt und Pfeiltasten wählen eine Zeit aus, Eingabetaste vergrößert' : ''}`,
  selected: (span) => `Ausgewählt: ${span}; Eingabetaste vergrößert`,
  clickForRequests: 'Klick oder Eingabetaste: die Anfragen',
  zoomOut: 'Verkleinern',
  backTo: (range) => `Zurück zu ${range}`,

  averageRequest: {
    title: 'Die mittlere Anfrage',
    note: 'Mittelwerte je Anfrage; eine bestehende Verbindung zählt 0. Netz: DNS, TCP und ein Umlauf vom Warten.',
    words: (mean, median, parts) => `Mittelwert ${mean} ms, Median ${median} ms. Anteile am Mittelwert: ${parts} ms.`,
    table: 'Anteile der mittleren Anfrage',
    part: 'Anteil',
    perRequest: 'Je Anfrage',
    ofAverage: 'Vom Mittelwert',
  },
  phases: {
    title: 'Jede Phase für sich',
    note: 'Nicht gestapelt, weil sich Mediane von Teilen nicht addieren. DNS, TCP und TLS nur über neue Verbindungen.',
    table: 'Median und Mittelwert jeder Phase',
    phase: 'Phase',
    basis: 'Basis',
    reason: 'Warum unbekannt',
    perConnection: 'je Verbindung',
    perRequest: 'je Anfrage',
    unknown: (phase, reason) => `${phase} unbekannt: ${reason}.`,
    known: (phase, perConnection, median, mean) =>
      `${phase}${perConnection ? ' je Verbindung' : ''}: Median ${ms(median)}, Mittelwert ${ms(mean)} ms.`,
  },
  gap: {
    title: 'Vom Median zum Mittelwert',
    note: (setupUnknown) =>
      `Was den Mittelwert über den Median hebt, ms je Anfrage.${setupUnknown > 0 ? ` Der Aufbau von ${count(setupUnknown)} ${setupUnknown === 1 ? 'neuen Verbindung ist unbekannt und zählt' : 'neuen Verbindungen ist unbekannt und zählt'} 0.` : ''}`,
    step: 'Schritt',
    adds: 'Beitrag',
  },
  connections: {
    title: 'Verbindungen',
    note: 'Anteil der Anfragen auf neuen und bestehenden Verbindungen und ohne Netz.',
    table: 'Messungen nach Typ und Verbindungsklasse',
    type: 'Typ',
    share: (connection) => `${connection}, Anteil`,
  },
  distribution: {
    name: 'Verteilung',
    note: (peaks, precision) =>
      `Anfragen nach Zeit bis zum letzten Byte, ms, logarithmische Achse. ${peaks} ${precision}.`,
    words: (median, mean, peaks) => `Median ${median} ms, Mittelwert ${mean} ms. ${peaks}`,
    nothing: 'Ohne verwertbare Messungen gibt es keine Verteilung.',
    table: 'Anfragen nach Zeit bis zum letzten Byte',
    bins: 'Vier Klassen je Oktave; das obere Ende einer Klasse gehört nicht dazu.',
    peaksLater: 'Gipfel werden ab 200 Anfragen erkannt.',
    noPeak: 'Kein Gipfel hebt sich ab.',
    onePeak: (peak) => `Ein Gipfel bei ${peak}.`,
    peaks: (n, peaks) => `${count(n)} Gipfel: ${peaks}.`,
  },
  timeline: {
    notMeasured: 'keine Messung',
    zone: (zone) => `Zeiten in ${zone}.`,
    name: 'Verlauf',
    title: 'Zeitlicher Verlauf',
    nothing: 'Ohne verwertbare Messungen gibt es keinen Verlauf.',
    stepSize: (size) => `Schritte von ${size}, Zeit bis zum letzten Byte, ms.`,
    gaps: (n) => `${n === 1 ? '1 Schritt ist' : `${count(n)} Schritte sind`} ohne Messung: eine Lücke, keine Null.`,
    cut: 'Die höchsten p95 und Mittelwerte sind abgeschnitten; die Tabelle enthält sie.',
    words: (n) => `Median und Mittelwert von ${n === 1 ? 'einem Schritt' : `${count(n)} Schritten`}.`,
    middleHalf: 'mittlere Hälfte (p25 bis p75)',
    table: 'Zeit bis zum letzten Byte im Verlauf',
    dash: 'Ein Strich steht für einen Schritt ohne Messung.',
    days: (n) => `${count(n)} ${n === 1 ? 'Tag' : 'Tagen'}`,
  },
  pauses: {
    name: 'Pausen',
    title: 'Pausen und Handshakes',
    nothing: 'Kein Browser hat gemeldet, wie lange die letzte Antwort dieses Hosts zurücklag.',
    note: (found) =>
      `Anfragen nach der Zeit seit der letzten Antwort dieses Hosts an den Browser, logarithmische Achse. ${found}`,
    table: 'Anfragen nach Pause',
    from: 'Pause von',
    to: 'bis',
    reused: 'Bestehende Verbindung',
    opened: 'Neue Verbindung',
    first: 'Vor der ersten Anfrage eines Browsers an einen Host liegt keine Pause; sie zählt hier nicht.',
    noneOpened: 'Auf keine frühere Antwort folgte eine neue Verbindung, daher ist kein Timeout erkennbar.',
    noTimeout: (opened) =>
      `${count(opened)} neue Verbindungen folgten auf eine frühere Antwort, doch keine Pausenlänge trennt sie von den bestehenden. Das spricht für parallele oder vom Server geschlossene Verbindungen, nicht für einen Keep-Alive-Timeout.`,
    timeout: (pause, forced, opened, share, early) =>
      `Verbindungen schließen nach etwa ${pause} ohne Anfrage: ${count(forced)} von ${count(opened)} neuen Verbindungen (${share}) kamen nach einer längeren Pause. Ein Keep-Alive-Timeout, der länger ist als die Pausen der Nutzer, würde diese Handshakes sparen.${early > 0 ? ` ${count(early)} kamen früher: parallel geöffnet, oder nachdem der Server eine Verbindung geschlossen hatte.` : ''}`,
  },
  scenarios: {
    title: 'Verteilung je Szenario',
    note: 'Anfragen nach Zeit bis zum letzten Byte, ms, logarithmische Achse. Jede Zeile hat ihre eigene senkrechte Skala.',
    words: (names) => `Histogramme: ${names}.`,
  },
};
