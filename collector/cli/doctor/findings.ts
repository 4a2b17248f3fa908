import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { readRetention } from '../../../shared/settings/read-retention.ts';
import { EMPTY_SETTINGS } from '../../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';
import { CLIENT_LIMITS } from '../../ingest/admission/admission.ts';
import { toReserve } from '../../ingest/admission/disk-reserve.ts';
import type { PackagesRecord } from '../../rollout/package/packages-record.ts';
import { MAX_CLOCK_JUMP_MS } from '../../storage/clock-watch.ts';
import type { FolderContents } from '../../storage/open-store.ts';
import type { Answer, Certificate, Facts, FolderFacts, Trouble } from './gather-facts.ts';

const DAY_MS = 86_400_000;
/** More than this is a machine without time synchronisation, ms. */
const MAX_DIFFERENCE_MS = 5 * 60_000;
/** Whatever renews certificates by itself does so earlier, ms. */
const RENEW_BEFORE_MS = 14 * DAY_MS;

/** What to do, by the code of what was found; PATH is the data folder. */
export const FIXES = {
  node_unsupported: 'Install Node 24, or 22.18 and newer',
  no_data: 'lastbyte serve --data PATH',
  not_owner: 'sudo -u "#$(stat -c %u PATH)" lastbyte doctor --data PATH',
  not_writable: 'chmod u+rwX PATH PATH/lastbyte.sqlite, unless its disk is mounted read-only',
  other_owner: 'sudo chown -R --reference=PATH PATH',
  open_to_others: 'chmod 700 PATH',
  older_tables: 'Restart the server with this version: lastbyte serve --data PATH',
  not_checked: 'lastbyte check --data PATH',
  store_corrupt: 'Stop the server, and put a file of lastbyte backup into an empty folder as lastbyte.sqlite',
  store_full: 'Free space on this disk: "When the disk is full" in docs/operations.md',
  disk_fills: 'Enlarge the disk, or lower retention.sampleDays in the settings',
  no_room_for_copy: 'Enlarge the disk',
  clock_differs: 'sudo timedatectl set-ntp true',
  clock_in_doubt: 'If the clock is right: lastbyte clock confirm --data PATH. Otherwise: sudo timedatectl set-ntp true',
  certificate_dates: 'Renew it, write the chain to the same file and restart the server',
  certificate_key: 'Give the key with which the certificate was requested',
  certificate_name: 'Request one for this name',
  certificate_chain: 'Put each issuer after what it issued, unless every browser has the last one',
  no_updates: 'lastbyte package --collector https://HOST --data PATH',
  updates_differ: 'Start the server with this data folder, or package again',
  no_answer: 'Start the server, open the firewall on the way, or give --ca the certificate of your own authority',
} as const;

/** One line of the report. `code` is stable; if all is well, it is the name of the check. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'problem';
  readonly code: string;
  readonly text: string;
  readonly fix: string | null;
}

type Code = keyof typeof FIXES;
const ok = (code: string, text: string): Finding => ({ status: 'ok', code, text, fix: null });
const warning = (code: Code, text: string): Finding => ({ status: 'warning', code, text, fix: FIXES[code] });
const problem = (code: Code, text: string): Finding => ({ status: 'problem', code, text, fix: FIXES[code] });
const troubled = ({ code, message, hint }: Trouble): Finding => ({
  status: 'problem',
  code,
  text: message,
  fix: hint || null,
});

/** Everything that was looked at. */
export function findings(facts: Facts): readonly Finding[] {
  const { node, folder, contents, certificate, browsers, drivers } = facts;
  const unneeded = 'Only demo, probe and journey need';
  const found = [
    node.isSupported ? ok('node', `Node ${node.version}`) : problem('node_unsupported', `Node ${node.version}`),
    folderFinding(folder),
    ...judged(contents, (is) => [tables, database, disk, clock, backup, settings].map((judge) => judge(is, facts))),
    ...judged(certificate, (is) => certificateFindings(facts, is)),
    ...judged(facts.packages, (is) => packageFindings(facts, is)),
    ...facts.collector.map((answer) => unanswered(answer) ?? ok('collector', `${answer.url} says it is ready`)),
    ...facts.stores.map(({ option, trouble }) => (trouble === null ? ok(option, 'answers') : troubled(trouble))),
    ...browsers.map((found) => ok('browsers', found.ok ? found.path : `${found.message} ${unneeded} one`)),
    ...drivers.map(({ name, has, install }) => ok(name, has ?? `none. ${unneeded} it: ${install}`)),
  ];
  const path = /^[\w./-]+$/.test(folder.path) ? folder.path : `'${folder.path}'`;
  return found.map((one) => ({ ...one, fix: one.fix?.replaceAll('PATH', path) ?? null }));
}

function judged<T>(fact: T | Trouble | null, judge: (fact: T) => readonly Finding[]): readonly Finding[] {
  if (fact === null) return [];
  return fact instanceof Object && 'hint' in fact ? [troubled(fact as Trouble)] : judge(fact as T);
}

function folderFinding({ path, error, isOwn, mode, foreign }: FolderFacts): Finding {
  if (error === 'ENOENT') return problem('no_data', `no collector data in ${path}`);
  const text = `cannot write to ${path} (${error}): what it holds was not checked`;
  if (error !== null) return isOwn || error === 'EROFS' ? problem('not_writable', text) : problem('not_owner', text);
  if (foreign.length > 0) return warning('other_owner', `not all of ${path} has its owner: ${foreign.join(', ')}`);
  const isOpen = (mode & 0o077) !== 0 && process.platform !== 'win32';
  return isOpen ? warning('open_to_others', `others may look into ${path}`) : ok('folder', `${path} can be written`);
}

function tables({ version, known, isServed }: FolderContents): Finding {
  const server = isServed ? 'a server runs on them' : 'no server runs on them';
  if (version === known || version === 0) return ok('tables', `version ${known}; ${server}`);
  return warning('older_tables', `version ${version}, which a start copies and migrates to ${known}; ${server}`);
}

function database({ quickCheck }: FolderContents): Finding {
  if (quickCheck === null) return warning('not_checked', 'the database is too large for a quick check');
  return quickCheck === 'ok' ? ok('database', 'passes a quick check') : problem('store_corrupt', quickCheck);
}

function disk(is: FolderContents, { now }: Facts): Finding {
  const { freeBytes, databaseBytes, oldest, samplesIn } = is;
  const verdict = validateSettings(is.settings);
  const { sampleDays } = readRetention(verdict.ok ? verdict.settings : EMPTY_SETTINGS);
  const days = Math.max(1, (now - (oldest ?? now)) / DAY_MS);
  // Once samples expire, the database stops growing.
  const daysToCome = oldest === null || samplesIn !== null ? 0 : Math.max(0, sampleDays - days);
  const toCome = (databaseBytes / days) * daysToCome;
  const text = `${megabytes(freeBytes)} free, the database has ${megabytes(databaseBytes)}`;
  if (freeBytes < toReserve(CLIENT_LIMITS.reserve, is.diskBytes))
    return problem('store_full', `${text}: no batch fits`);
  if (freeBytes < toCome) return warning('disk_fills', `${text}, and ${megabytes(toCome)} come before samples expire`);
  if (freeBytes < databaseBytes) return warning('no_room_for_copy', `${text}: no room for a backup or an update`);
  return ok('disk', text);
}

function clock({ seen }: FolderContents, { now, collector: [asked] }: Facts): Finding {
  const text = `the clock says ${toText(now)}`;
  const date = asked?.date ?? null;
  const differs = date !== null && Math.abs(now - date) > MAX_DIFFERENCE_MS;
  if (differs) return problem('clock_differs', `${text}, the collector's ${toText(date)}`);
  if (seen === null || Math.abs(now - seen) <= MAX_CLOCK_JUMP_MS) return ok('clock', text);
  return warning('clock_in_doubt', `${text}; a server last ran at ${toText(seen)}, and the next one removes nothing`);
}

function backup({ copies: [copy] }: FolderContents, { now }: Facts): Finding {
  if (copy === undefined) return ok('backup', 'no copy of an update; other backups are not known here');
  return ok('backup', `${copy.file}, from before an update, is ${Math.floor((now - copy.at) / DAY_MS)} days old`);
}

function settings({ settings: document }: FolderContents, { node }: Facts): Finding {
  const verdict = document === null ? null : validateSettings(document);
  const [wrong] = verdict === null || verdict.ok ? [] : verdict.problems;
  const state = document === null ? 'none yet' : 'valid';
  if (wrong === undefined) return ok('settings', `${state}; time zones of ${node.zones}`);
  const code = wrong.code === 'no_zone' ? 'no_zone' : 'settings_invalid';
  return troubled({ code, message: `settings ${wrong.path}: ${wrong.message}`, hint: wrong.hint });
}

function certificateFindings({ now, host }: Facts, { file, chain, key }: Certificate): readonly Finding[] {
  const [leaf, last] = [chain[0], chain.at(-1)] as [X509Certificate, X509Certificate];
  const from = Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom)));
  const until = Math.min(...chain.map(({ validTo }) => Date.parse(validTo)));
  const issued = (by: X509Certificate, one: X509Certificate) => one.checkIssued(by) && one.verify(by.publicKey);
  const isInOrder = chain.every((one, at) => at === 0 || issued(one, chain[at - 1] ?? leaf));
  const isWhole = issued(last, last) || rootCertificates.some((root) => issued(new X509Certificate(root), last));
  const dates = `${file} is valid from ${toText(from)} to ${toText(until)}`;
  const isFor = host === null || (isIP(host) > 0 ? leaf.checkIP(host) : leaf.checkHost(host)) !== undefined;
  const found: Finding[] = [];
  if (until < now || from > now) found.push(problem('certificate_dates', dates));
  else if (until - now < RENEW_BEFORE_MS) found.push(warning('certificate_dates', dates));
  const isKey = key === null || leaf.checkPrivateKey(key);
  if (!isKey) found.push(problem('certificate_key', `--tls-key is not that of ${file}`));
  if (!isFor) found.push(problem('certificate_name', `${file} is not for ${host}`));
  if (!isInOrder) found.push(problem('certificate_chain', `the certificates in ${file} did not issue one another`));
  else if (!isWhole) found.push(warning('certificate_chain', `${file} ends with a certificate of ${last.issuer}`));
  return found.length > 0 ? found : [ok('certificate', dates)];
}

function packageFindings({ updates }: Facts, { version, collector, chromiumId, firefoxId }: PackagesRecord): Finding[] {
  if (collector === null) return [warning('no_updates', `packages ${version} have no address for updates`)];
  return updates.map((answer) => {
    const has = (text: string) => answer.body.includes(`"${text}"`);
    const isOffered = has(version) && (has(chromiumId) || has(firefoxId));
    const text = `${answer.url} ${isOffered ? 'offers' : 'lacks'} ${version}`;
    return unanswered(answer) ?? (isOffered ? ok('updates', text) : warning('updates_differ', text));
  });
}

function unanswered({ url, status }: Answer): Finding | null {
  return status === 200 ? null : problem('no_answer', `${url}: ${status}`);
}

function megabytes(bytes: number): string {
  return bytes < 10e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.round(bytes / 1e9)} GB`;
}

function toText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}
