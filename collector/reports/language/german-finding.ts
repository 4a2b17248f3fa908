import type { Finding, FindingPart } from '../../analysis/summary/finding.ts';
import type { VerdictWord } from '../../analysis/summary/summary-document.ts';
import { numbersOf } from './number-words.ts';
import { summaryWordsOf } from './summary-words.ts';

const TYPES: Readonly<Record<string, string>> = {
  document: 'Dokumente',
  script: 'Skripte',
  style: 'Stilvorlagen',
  image: 'Bilder',
  font: 'Schriften',
  fetch: 'Abfragen',
  iframe: 'Rahmen',
  media: 'Medien',
  beacon: 'Signale',
  other: 'übrige Anfragen',
};

const PHASES = {
  blocked: 'Warten im Browser',
  wait: 'Warten auf den Server',
  receive: 'Empfang des Inhalts',
} as const;

const VERDICTS: Readonly<Record<Exclude<VerdictWord, 'unknown'>, string>> = {
  tls: 'TLS',
  network: 'Netz',
  server: 'Server',
  download: 'Download',
  client: 'der Browser selbst',
};

const REASONS = {
  no_samples: 'es wurde nichts gemessen',
  no_round_trip: 'es wurde keine neue Verbindung gesehen, an der sich Netz und Server trennen ließen',
  no_leader: 'kein Teil ist groß genug, um allein die Ursache zu sein',
} as const;

const DOUBTS = {
  few_samples: 'es sind weniger als 30 Messungen',
  wide_quartiles: 'die Quartile liegen weit auseinander',
  wide_interval: 'der Median ist noch nicht auf 10 % bekannt',
} as const;

const { ms: number, share: percent, fixed } = numbersOf('de');
const ms = (value: number) => `${number(value)} ms`;

/** `findingText` in German, sentence for sentence. */
export function germanFinding(finding: Finding): string[] {
  const { host, type, others, median, mean, keepMeasuring } = finding;
  const { dimensions, none } = summaryWordsOf('de');
  const what = type === null ? 'alle Anfragen' : (TYPES[type] ?? type);
  const named = others.map(({ dimension, value }) => `, ${dimensions[dimension]} ${value ?? none}`);
  const subject = (host === null ? capital(what) : `${host}, ${what}`) + named.join('');
  return [
    `${subject}: Median ${ms(median)}, Mittelwert ${ms(mean)}.`,
    gapSentence(finding),
    tlsSentence(finding),
    verdictSentence(finding),
    keepMeasuring.length === 0
      ? null
      : `Weiter messen: ${keepMeasuring.map((reason) => DOUBTS[reason]).join(', und ')}.`,
  ].filter((sentence) => sentence !== null);
}

function gapSentence({ gap }: Finding): string {
  if (!gap) return 'Median und Mittelwert stimmen überein.';
  const lead =
    gap.ratio === null
      ? `Der Mittelwert liegt ${ms(gap.total)} über einem Median von 0`
      : `Der Mittelwert ist das ${fixed(gap.ratio, 1)}-Fache des Medians`;
  const { parts, total } = gap;
  const [first, ...others] = parts;
  if (!first) return `${lead}.`;
  if (total < 0 || parts.some((part) => part.ms < 0)) {
    const size = gap.ratio === null ? '' : `, ${ms(Math.abs(total))} ${total < 0 ? 'darunter' : 'darüber'}`;
    return `${lead}${size}: ${parts.map(partEffect).join(', ')}.`;
  }
  const rest = others.map((part) => `, ${ms(part.ms)} aus ${partName(part, DATIVE)}`).join('');
  return `${lead}: von den ${number(total)} ms dazwischen stammen ${ms(first.ms)} aus ${partName(first, DATIVE)}${rest}.`;
}

function partEffect(part: FindingPart): string {
  const [adds, takes] = part.part === 'setup' ? ['bringen', 'nehmen'] : ['bringt', 'nimmt'];
  const effect = part.ms < 0 ? `${takes} ${ms(-part.ms)} weg` : `${adds} ${ms(part.ms)} hinzu`;
  return `${partName(part, NOMINATIVE)} ${effect}`;
}

const NOMINATIVE = { tail: 'das langsamste', spread: 'die', setup: 'die' } as const;
const DATIVE = { tail: 'dem langsamsten', spread: 'der', setup: 'den' } as const;

function partName(part: FindingPart, article: Readonly<Record<FindingPart['part'], string>>): string {
  switch (part.part) {
    case 'tail':
      return `${article.tail} 1 %${part.phase === null ? '' : ` (${PHASES[part.phase]})`}`;
    case 'spread':
      return `${article.spread} Streuung gewöhnlicher Anfragen`;
    case 'setup': {
      const tls = part.tls === null ? '' : `, davon TLS ${number(part.tls)}`;
      return `${article.setup} ${percent(part.share)} der Anfragen, die eine neue Verbindung zahlen (Median ${ms(part.median)}${tls})`;
    }
  }
}

function tlsSentence({ tls, mergedHandshakes }: Finding): string | null {
  if (mergedHandshakes) {
    return 'HTTP/3 vereint TCP und TLS in einem Handshake, daher lässt sich nicht sagen, was TLS je Anfrage kostet.';
  }
  if (!tls) return null;
  return `Je Anfrage kostet TLS im Mittel ${ms(tls.meanPerRequest)} und im Median ${number(tls.medianPerRequest)}.`;
}

function verdictSentence({ verdict, verdictReason, nearbyEndpoint }: Finding): string {
  if (verdict === 'server' && nearbyEndpoint) {
    return 'Urteil: Server, oder der Weg dorthin: TCP endet an einem Proxy, VPN oder CDN nahe den Nutzern, und dies ist alles dahinter.';
  }
  if (verdict !== 'unknown') return `Urteil: ${VERDICTS[verdict]}.`;
  return `Urteil: offen, ${REASONS[verdictReason ?? 'no_leader']}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
