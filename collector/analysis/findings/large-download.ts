import { type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { findMedian } from './like-medians.ts';

/** A whole ordinary page is about 2 MB: a single answer of one is large. */
const MIN_BYTES = 1_000_000;
/** Of the request's time: otherwise its size is not what takes long. */
const MIN_RECEIVE = 0.4;
const MIN_ROWS = 20;

/** Answers so large that receiving them is most of the wait. */
export const findLargeDownload: Detector = ({ table, timed, left }) => {
  const rows = table.groups.map(() => [] as number[]);
  for (const row of timed) rows[table.group[row] as number]?.push(row);
  const receives = rows.map((own) => findMedian(Float64Array.from(own, (row) => left.receive[row] as number)));
  return table.groups.flatMap(({ target, host, template, type }, group) => {
    const own = (rows[group] as number[]).filter((row) => !Number.isNaN(left.receive[row] as number));
    if (own.length < MIN_ROWS) return [];
    const size = findMedian(
      Float64Array.from(own, (row) => table.size[row] as number).filter((bytes) => !Number.isNaN(bytes)),
    );
    if (!(size >= MIN_BYTES)) return [];
    const alike = receives.filter(
      (ms, other) => other !== group && !Number.isNaN(ms) && table.groups[other]?.type === type,
    );
    const usual = alike.length === 0 ? 0 : findMedian(Float64Array.from(alike));
    const sums = new UnitSums();
    let placeMs = 0;
    let receiveMs = 0;
    for (const row of own) {
      const receive = left.receive[row] as number;
      placeMs += left.ttlb[row] as number;
      receiveMs += receive;
      sums.add(table.browser[row] as number, receive - usual);
    }
    if (receiveMs < MIN_RECEIVE * placeMs) return [];
    return [
      {
        kind: 'large_download' as const,
        place: { ...ANYWHERE, target, host, template, type },
        phase: 'receive' as const,
        since: null,
        facts: { bytes: size, receiveMs: receiveMs / own.length },
        affectedRequests: own.length,
        units: sums.units(),
        placeMs,
        cure() {
          for (const row of own) {
            const more = Math.max(0, (left.receive[row] as number) - usual);
            left.receive[row] = (left.receive[row] as number) - more;
            left.ttlb[row] = (left.ttlb[row] as number) - more;
          }
        },
      },
    ];
  });
};
