import { NULL, NUMBER_INDEX, TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { LONG_LIVED, type ResourceType } from '../../../shared/vocabulary/vocabulary.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { replaceText } from '../decode/replace-text.ts';
import { isLongLived, MIN_FIXED_MS } from './long-lived-rule.ts';

/** Scripts hold requests open; a page or an image that takes long is waited for. */
const CANDIDATES: ReadonlySet<string> = new Set<ResourceType>(['fetch', 'other']);
/** Requests of a path that decide about it. */
const RECENT = 64;
/** Of one batch, so that no single browser decides. */
const MAX_OF_BATCH = 8;
/** Paths watched at most, each with a request of 5 s or more. */
const MAX_PATHS = 1000;
/** A request of which this share is one phase did nothing else. */
const FLAT_SHARE = 0.9;

interface Path {
  readonly host: string;
  readonly template: string;
  /** ms, see `isLongLived`. */
  readonly times: number[];
  longLived: boolean;
}

/**
 * Gives requests of long-lived paths a type of their own, by which rollups keep them apart. A path is a host and a path
 * template; one that never had a request of 5 s costs nothing. In memory only: after a restart, the first requests of each
 * path count again.
 *
 * @returns marks the rows of a batch; the same object if it has none
 */
export function createLongLivedMarks(maxPaths = MAX_PATHS): (columns: BatchColumns) => BatchColumns {
  const hosts = new Map<string, Map<string, Path>>();
  const paths = new Set<Path>();

  function watch(host: string, template: string): Path {
    if (paths.size >= maxPaths) forgetOne();
    const path: Path = { host, template, times: [], longLived: false };
    const templates = hosts.get(host) ?? new Map<string, Path>();
    hosts.set(host, templates.set(template, path));
    paths.add(path);
    return path;
  }

  /** The oldest that is not long-lived, or simply the oldest. */
  function forgetOne(): void {
    const [oldest] = paths;
    const gone = [...paths].find(({ longLived }) => !longLived) ?? oldest;
    if (gone === undefined) return;
    paths.delete(gone);
    const templates = hosts.get(gone.host);
    templates?.delete(gone.template);
    if (templates?.size === 0) hosts.delete(gone.host);
  }

  return (columns) => {
    const { n, texts, numbers } = columns;
    const [type, host, template] = [texts[TEXT_INDEX.type], texts[TEXT_INDEX.host], texts[TEXT_INDEX.template]];
    const ttlb = numbers[NUMBER_INDEX.ttlb];
    const isUsers = usersRows(columns);
    if (type === undefined || host === undefined || template === undefined || isUsers === null) return columns;
    const isCandidate = type.strings.map((text) => CANDIDATES.has(text));
    if (!isCandidate.includes(true)) return columns;
    const pathOf = new Map<number, Path | null>();
    const counted = new Map<Path, number>();
    for (let row = 0; row < n; row++) {
      if (isCandidate[type.codes[row] as number] !== true || !isUsers(row)) continue;
      const pair = (host.codes[row] as number) * template.strings.length + (template.codes[row] as number);
      let path = pathOf.get(pair);
      const time = ttlb?.[row] ?? NULL;
      if (path === undefined || (path === null && time >= 1000 * MIN_FIXED_MS)) {
        const [of = '', at = ''] = [
          host.strings[host.codes[row] as number],
          template.strings[template.codes[row] as number],
        ];
        path = hosts.get(of)?.get(at) ?? (time >= 1000 * MIN_FIXED_MS ? watch(of, at) : null);
        pathOf.set(pair, path);
      }
      if (path === null || time === NULL || isExcluded(columns, row)) continue;
      const flat = isFlat(columns, row, time);
      const before = counted.get(path) ?? 0;
      if (flat === null || before >= MAX_OF_BATCH) continue;
      counted.set(path, before + 1);
      path.times.push(flat ? time / 1000 : 0);
      if (path.times.length > RECENT) path.times.shift();
    }
    for (const path of counted.keys()) path.longLived = isLongLived(path.times, path.longLived);
    if (![...pathOf.values()].some((path) => path?.longLived)) return columns;
    return replaceText(columns, 'type', type, LONG_LIVED, (row) => {
      if (isCandidate[type.codes[row] as number] !== true || !isUsers(row)) return false;
      const pair = (host.codes[row] as number) * template.strings.length + (template.codes[row] as number);
      return pathOf.get(pair)?.longLived === true;
    });
  };
}

/** Rows of users' own requests; null if there are none. */
function usersRows({ texts }: BatchColumns): ((row: number) => boolean) | null {
  const source = texts[TEXT_INDEX.source];
  const page = source?.strings.indexOf('page') ?? -1;
  if (source === undefined || page < 0) return null;
  return (row) => source.codes[row] === page;
}

function isExcluded({ texts }: BatchColumns, row: number): boolean {
  return (texts[TEXT_INDEX.excluded]?.codes[row] ?? NULL) !== NULL;
}

/** @param time `ttlb`, µs. @returns null if the browser did not say */
function isFlat({ numbers }: BatchColumns, row: number, time: number): boolean | null {
  const wait = numbers[NUMBER_INDEX.wait]?.[row] ?? NULL;
  const receive = numbers[NUMBER_INDEX.receive]?.[row] ?? NULL;
  if (Math.max(wait, receive) >= FLAT_SHARE * time) return true;
  return wait === NULL || receive === NULL ? null : false;
}
