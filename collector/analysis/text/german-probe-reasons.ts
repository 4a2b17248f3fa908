import type { ProbeReasonTexts } from './probe-reasons.ts';

export const GERMAN_PROBE_REASONS: ProbeReasonTexts = {
  reasons: {
    timeout: 'Zeitüberschreitung',
    no_entry: 'der Browser hat keine Zeiten gemeldet',
    https_upgrade: 'auf HTTPS umgestellt (Umleitung oder HSTS)',
    redirected: 'auf eine andere Adresse umgeleitet',
    cache: 'aus einem Cache',
    opaque: 'Zeiten verborgen',
    worker: 'vom Service Worker beantwortet',
    invalid: 'Zeitstempel nicht in der richtigen Reihenfolge',
    below_clock_step: 'unter der Uhrenauflösung des Browsers',
    not_new: 'eine bestehende Verbindung wurde benutzt',
    not_reused: 'eine neue Verbindung wurde geöffnet',
    size_changed: 'die Größe der Antwort hat sich geändert',
    no_method_for_protocol: 'mit diesem Browser und Protokoll lässt sich keine neue Verbindung erzwingen',
    no_permission: 'die Erweiterung darf nicht auf diesen Host zugreifen',
    unexpected_status: 'unerwarteter Status',
    text_missing: 'erwarteter Text fehlt',
    not_idle: 'der Rechner war in Gebrauch',
    on_battery: 'im Akkubetrieb',
    power_unknown: 'der Browser meldet nicht, ob er am Netz oder im Akkubetrieb läuft',
    budget: 'Anfragebudget der Stunde aufgebraucht',
    text_with_cookies: 'vom Browser abgelehnt: Sie sendet Cookies und sucht nach einem Text',
  },
  status: (status) => `Status ${status}`,
  atStep: (step, reason) => `Schritt ${step}: ${reason}`,
};
