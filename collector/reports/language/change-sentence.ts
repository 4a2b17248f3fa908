import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import type { Language } from '../../analysis/text/language.ts';
import type { CompareCell } from '../../questions/compare.ts';
import { numbersOf } from './number-words.ts';
import { summaryWordsOf } from './summary-words.ts';

/** The result of one comparison as a sentence or two. English is the store's own text. */
export function changeSentence(cell: CompareCell, time: string, language: Language): string {
  return language === 'de' ? german(cell, time) : cell.text;
}

const { ms } = numbersOf('de');

function german(cell: CompareCell, time: string): string {
  const { before, after, change } = cell;
  const { dimensions, none } = summaryWordsOf('de');
  const words = partsOfKey(cell).map(({ dimension, value }) => value ?? `${dimensions[dimension]} ${none}`);
  const subject = `${words.length === 0 ? 'Alle Anfragen' : words.join(', ')}, ${time}`;
  if (before === null && after === null) return `${subject}: auf keiner Seite gemessen.`;
  if (before === null) return `${subject}: vorher nicht gemessen; jetzt ist der Median ${ms(after?.median ?? 0)} ms.`;
  if (after === null) return `${subject}: nicht mehr gemessen; der Median war ${ms(before.median)} ms.`;
  const medians = `Median vorher ${ms(before.median)} ms, nachher ${ms(after.median)} ms`;
  if (change === null) return `${subject}: ${medians}.`;
  const { difference, interval, changed, because } = change;
  const span = `95 % zwischen ${ms(interval[0])} und ${ms(interval[1])} ms`;
  const doubt =
    because === null
      ? ''
      : because === 'few_browsers'
        ? ' Wenige Browser haben gemessen, daher ist das Intervall über Anfragen gezogen und zu eng.'
        : ' Die Browser sind nicht bekannt, daher ist das Intervall über Anfragen gezogen und zu eng.';
  if (changed) {
    const direction = difference > 0 ? 'langsamer' : 'schneller';
    return `${subject}: ${medians}. Es wurde ${ms(Math.abs(difference))} ms ${direction} (${span}).${doubt}`;
  }
  const why =
    interval[0] <= 0 && interval[1] >= 0
      ? 'das Intervall des Unterschieds enthält 0'
      : Math.abs(difference) < MIN_RELATIVE_CHANGE * Math.abs(change.before)
        ? `der Unterschied liegt unter ${MIN_RELATIVE_CHANGE * 100} %`
        : 'der Unterschied liegt unter dem Uhrenschritt der Browser';
  return `${subject}: ${medians}. Keine Veränderung, die sich vom Zufall abhebt: ${why} (${span}).${doubt}`;
}
