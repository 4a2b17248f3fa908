import { numberWords } from '../../analysis/text/numbers.ts';
import type { DashboardTexts } from './t.ts';

const { count, ms } = numberWords('de');

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
  clickForRequests: 'Klick oder Eingabetaste zeigt die Anfragen',
  zoomOut: 'Verkleinern',
  backTo: (range) => `Zurück zu ${range}`,

  averageRequest: {
    title: 'Die durchschnittliche Anfrage',
    note: 'Mittelwerte je Anfrage; eine bestehende Verbindung zählt als 0. Netz: DNS, TCP und ein Umlauf vom Warten.',
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
    note: 'Anteil der Anfragen auf neuen und bestehenden Verbindungen sowie ohne Netz.',
    table: 'Messungen nach Typ und Verbindungsklasse',
    type: 'Typ',
    share: (connection) => `${connection}, Anteil`,
  },
  annotations: {
    count: (n) => `${count(n)} ${n === 1 ? 'Anmerkung' : 'Anmerkungen'}`,
    annotate: 'Anmerkung hinzufügen',
  },
  zone: (zone) => `Zeiten in ${zone}.`,
  notMeasured: 'keine Messung',
  volume: 'Anfragen',
  idle: 'Stunden ohne Anfragen sind gestaucht.',
};
