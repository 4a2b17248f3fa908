import type { ComparedTime, Status, TargetStatus } from '../background/status.ts';
import { notePermissions } from '../network-access.ts';
import { type Permissions, platform } from '../platform.ts';
import { ask } from './ask.ts';
import { make, makeButton } from './element.ts';
import { count, duration, text } from './text.ts';

export interface AppListOptions {
  /** Shows patterns too, as on the options page. */
  readonly detailed: boolean;
  readonly changed: (status: Status) => void;
  readonly failed: (error: unknown) => void;
}

/** One item per app: whether it may be measured, and how long this user waits in it compared with all users. */
export function appItems(status: Status, options: AppListOptions): HTMLElement[] {
  return status.targets.map((target) => {
    const item = make('li', 'app', ...head(target, options));
    if (options.detailed) item.append(make('p', 'quiet patterns', target.match.join(', ')));
    for (const times of status.times.filter((each) => each.target === target.id)) item.append(comparison(times));
    if (target.unlockTimings.length > 0) {
      item.append(make('p', 'quiet', text('app_unlocks', target.unlockTimings.join(', '))));
    }
    return item;
  });
}

function head(target: TargetStatus, options: AppListOptions): HTMLElement[] {
  const line = make('div', 'app-head', make('strong', '', target.name));
  if (target.missing.length === 0 && target.afterRestart) {
    return [line, make('p', 'warning', text('app_after_restart'))];
  }
  if (target.missing.length === 0) {
    line.append(make('span', 'quiet', text('allowed')));
    return [line];
  }
  if (!mayAsk()) return [line, make('p', 'warning', text('app_not_in_package'))];
  const answer = make('p', 'warning');
  answer.setAttribute('role', 'status');
  const button = makeButton(text('allow'), 'small', () => allow(target, answer, options), options.failed);
  button.setAttribute('aria-label', text('allow_app', target.name));
  line.append(button);
  return [line, answer];
}

/** Shows the outcome next to the app: a button that seems to do nothing looks broken. */
async function allow(target: TargetStatus, answer: HTMLElement, { changed }: AppListOptions): Promise<void> {
  answer.textContent = '';
  let allowed: boolean;
  try {
    const isPattern = (needed: string) => needed.includes('://');
    allowed = await platform.permissions.request({
      origins: target.missing.filter(isPattern),
      // Optional permissions of the package; the polyfill's types only know Firefox's.
      permissions: target.missing.filter((needed) => !isPattern(needed)) as NonNullable<
        Permissions.Permissions['permissions']
      >,
    });
  } catch (error) {
    // A pattern that the package may not ask for, or that this browser does not understand.
    answer.textContent = text('app_not_asked', error instanceof Error ? error.message : String(error));
    return;
  }
  // The background does this too, but may see it later; the popup may be gone by then.
  if (allowed) await notePermissions(target.missing);
  if (allowed) changed(await ask({ kind: 'status' }));
  else answer.textContent = text('app_denied');
}

function comparison({ type, own, all }: ComparedTime): HTMLElement {
  const line = make('p', 'times', make('span', 'kind', text(`kind_${type}`)));
  const place = (value: string, words: string) => make('span', 'time', make('b', '', value), ` ${words}`);
  line.append(place(own ? duration(own.median) : '–', own ? text('time_you', count(own.n)) : text('time_you_unknown')));
  line.append(
    all ? place(duration(all.median), text('time_all', count(all.browsers))) : place('–', text('time_all_unknown')),
  );
  return line;
}

/** False in a package made with --only-targets: the browser refuses to ask for anything it does not contain. */
export function mayAsk(): boolean {
  const { optional_host_permissions: optional } = platform.runtime.getManifest() as {
    readonly optional_host_permissions?: readonly string[];
  };
  return (optional ?? []).length > 0;
}
