import type { Status } from '../background/status.ts';
import { knownText, moment, text } from './text.ts';

/** How a probe's last run went. */
export function probeText({ at, result, reason }: Status['probes'][number]): string {
  const why = reason === null ? '' : ` (${knownText(`reason_${reason}`) ?? reason})`;
  return `${text(`probe_${result}`)}${why}${at === null ? '' : `, ${moment(at)}`}`;
}
