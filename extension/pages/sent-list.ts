import type { SentRow } from '../background/sent-log.ts';
import { make } from './element.ts';
import { count, duration, moment, text } from './text.ts';

/** What the collector has got from this browser, line by line, in the words of a person. */
export function sentItems(rows: readonly SentRow[], appName: (id: string) => string): HTMLElement[] {
  return rows.map((row) => {
    const when = make('time', 'quiet', moment(row.at));
    when.setAttribute('datetime', new Date(row.at).toISOString());
    const address = make('span', 'address', row.host, make('span', 'path', row.template));
    const facts = [
      appName(row.target),
      row.probe ? text('sent_probe') : text(`type_${row.type}`),
      text(`connection_${row.connection}`),
      ...(row.status === null || row.status === 200 ? [] : [count(row.status)]),
      row.ttlb === null ? text('sent_no_time') : duration(row.ttlb),
    ];
    return make('li', 'sent', make('div', 'sent-head', address, when), make('div', 'quiet', facts.join(' · ')));
  });
}
