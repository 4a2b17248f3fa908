import type { RandomStream } from '../random-stream.ts';
import type { PlantedCause } from '../truth.ts';
import type { Waiting } from '../waiting.ts';
import type {
  Habits,
  HostTraits,
  RequestTraits,
  SiteTraits,
  Variant,
  When,
  WorldHost,
  WorldPlan,
  WorldRequest,
  WorldSite,
} from './world-plan.ts';

/** A cause of slowness as a change of a plan. */
export interface WorldCause {
  readonly name: string;
  /** What has to be there with and without it, such as a server whose handshakes are expensive. */
  prepare?(ground: Ground): WorldPlan;
  /** Throws where the plan has no room for it. */
  plant(ground: Ground): { readonly plan: WorldPlan; readonly cause: Omit<PlantedCause, 'name'> };
}

/** A fleet in which nothing is the matter, whatever it looks like. */
export interface QuietWorld {
  readonly name: string;
  change(ground: Ground): WorldPlan;
}

/** What causes are planted in: the plan, what its users wait for without any, and where to draw from. */
export class Ground {
  readonly plan: WorldPlan;
  readonly usual: Waiting;
  readonly random: RandomStream;
  /** Share of all waiting that it should about cost. */
  readonly cost: number;

  constructor(plan: WorldPlan, usual: Waiting, random: RandomStream, cost: number) {
    this.plan = plan;
    this.usual = usual;
    this.random = random;
    this.cost = cost;
  }

  /** The whole fleet's, ms. */
  get costMs(): number {
    return this.cost * this.usual.total;
  }

  share(place: Parameters<Waiting['at']>[0]): number {
    return this.usual.at(place) / this.usual.total;
  }

  one<T>(items: readonly T[]): T {
    const item = items[this.random.whole(items.length)];
    if (item === undefined) throw new Error('The plan has no room for this cause.');
    return item;
  }

  /** A host that users wait for enough, and that isn't all of it. */
  host(fits: (traits: HostTraits, name: string) => boolean = () => true, atLeast = 0.07): WorldHost {
    return this.one(
      this.plan.hosts.filter(
        ({ name, traits }) => fits(traits, name) && traits.allowsTiming && this.share({ host: name }) >= atLeast,
      ),
    );
  }

  /** Not the largest one, which is the fleet's own normal. */
  site(atLeast = 0.12): WorldSite {
    const [largest] = [...this.plan.sites].sort((a, b) => b.browsers - a.browsers);
    return this.one(this.plan.sites.filter((site) => site !== largest && this.share({ site: site.name }) >= atLeast));
  }

  request(fits: (request: WorldRequest) => boolean, atLeast = 0.02): WorldRequest {
    const all = this.plan.apps.flatMap(({ pages }) => pages.flatMap(({ requests }) => requests)).filter(fits);
    return this.one(all.filter(({ host, template }) => this.share({ host, template }) >= atLeast));
  }

  /** A working day with at least a third of the days on each side. */
  day(): number {
    const day = Math.floor(this.plan.days * (0.35 + 0.3 * this.random.uniform()));
    const weekday = new Date(this.plan.from + day * 86_400_000).getUTCDay();
    return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
  }

  /** Factor on an effect that is there for a part of the days only. */
  since(day: number): number {
    return this.plan.days / (this.plan.days - day);
  }
}

export function changeHost(plan: WorldPlan, name: string, when: When, set: Partial<HostTraits>): WorldPlan {
  return { ...plan, hosts: plan.hosts.map((host) => (host.name === name ? withVariant(host, { when, set }) : host)) };
}

export function changeSite(plan: WorldPlan, name: string, when: When, set: Partial<SiteTraits>): WorldPlan {
  return { ...plan, sites: plan.sites.map((site) => (site.name === name ? withVariant(site, { when, set }) : site)) };
}

/** Wherever pages make such requests. */
export function changeRequests(
  plan: WorldPlan,
  fits: (request: WorldRequest, app: string) => boolean,
  when: When,
  set: (traits: RequestTraits) => Partial<RequestTraits>,
): WorldPlan {
  const apps = plan.apps.map((app) => ({
    ...app,
    pages: app.pages.map((page) => ({
      ...page,
      requests: page.requests.map((request) =>
        fits(request, app.id) ? withVariant(request, { when, set: set(request.traits) }) : request,
      ),
    })),
  }));
  return { ...plan, apps };
}

export function changeHabits(plan: WorldPlan, when: When, set: Partial<Habits>): WorldPlan {
  return { ...plan, habits: [...plan.habits, { when, set }] };
}

function withVariant<T, Owner extends { readonly variants?: readonly Variant<T>[] }>(
  owner: Owner,
  variant: Variant<T>,
): Owner {
  return { ...owner, variants: [...(owner.variants ?? []), variant] };
}

export function isSameRequest({ host, template, type }: WorldRequest) {
  return (other: WorldRequest) => other.host === host && other.template === template && other.type === type;
}
