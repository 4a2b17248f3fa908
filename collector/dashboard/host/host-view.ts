import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { connectionShares } from '../../charts/connection-shares.ts';
import { headlineCell } from '../model/headline.ts';
import { ofWhat } from '../model/of-what.ts';
import { overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { tablePanel } from '../overview/table-panel.ts';
import { connectionsFigure, gapFigure } from '../render/cell-charts.ts';
import { element } from '../render/element.ts';
import { findingView } from '../render/finding-view.ts';
import type { Scope } from '../render/scope.ts';
import type { ViewContext } from '../render/view.ts';
import { connectionFacts } from './connection-facts.ts';
import { factsView } from './facts-view.ts';
import type { HostDocuments } from './host.ts';
import type { HostContext } from './host-context.ts';
import { distributionPanel } from './panels/distribution.ts';
import { idlePanel } from './panels/idle.ts';
import { seedTablesPanel } from './panels/seed-tables.ts';
import { timelinePanel } from './panels/timeline.ts';
import { tlsPanel } from './panels/tls.ts';

export interface HostActions {
  readonly view: ViewContext;
  readonly scope: Scope;
  readonly home: string;
  linkKind(kind: string | null): string;
}

/** `?kind=` for all types together. */
const ALL_TYPES = 'all';

/** One host: a tab per type, what its users wait for and why, since when, and comparisons. */
export function hostView(host: string, { cells, whole }: HostDocuments, actions: HostActions): readonly HTMLElement[] {
  const all = whole.cells[0] ?? null;
  const chosen = chooseCell(actions.view.state.own.kind ?? null, cells.cells, all);
  const rows = sortRows(overviewRows(cells.cells), actions.view.state.sort);
  const head = element(
    'div',
    { class: 'host-head' },
    element(
      'p',
      { class: 'crumb' },
      element('a', { href: actions.home, 'data-route': true, 'data-focus': 'home' }, '← All hosts'),
    ),
    element('h1', {}, host),
  );
  if (chosen === null) return [head];
  const type = chosen.type ?? null;
  const { method } = cells;
  const of = ofWhat([host, type ?? 'all types'], method);
  const context: HostContext = { view: actions.view, scope: actions.scope, host, type, cell: chosen, method, of };
  const lines = rows.map(({ type: label, connections }) => ({ label, shares: connections }));
  if (all !== null && rows.length > 1) lines.push({ label: 'all types', shares: connectionShares(all) });
  return [
    head,
    kindTabs(
      rows.map(({ type: kind }) => kind),
      type ?? ALL_TYPES,
      actions,
    ),
    findingView(chosen, type === null ? 'All types together' : `Resource type: ${type}`, of),
    element('div', { class: 'figures' }, timelinePanel(context), distributionPanel(context)),
    element('div', { class: 'figures' }, gapFigure(chosen, of), connectionsFigure(lines, of)),
    factsView('Connections, TLS and the server', connectionFacts(chosen)),
    element('div', { class: 'figures' }, idlePanel(context), tlsPanel(context)),
    tablePanel(actions.view, actions.scope, {
      title: 'Resource types of this host',
      caption: `Resource types of ${host}: median and average, milliseconds`,
      oneHost: true,
      cells: cells.cells,
      filters: { host: [host] },
    }),
    seedTablesPanel(context),
  ];
}

function chooseCell(kind: string | null, cells: readonly SummaryCell[], all: SummaryCell | null): SummaryCell | null {
  if (kind === ALL_TYPES) return all;
  return cells.find(({ type }) => type === kind) ?? headlineCell(cells) ?? all;
}

function kindTabs(kinds: readonly string[], chosen: string, actions: HostActions): HTMLElement {
  const link = (kind: string, label: string) =>
    element(
      'a',
      {
        href: actions.linkKind(kind),
        'data-route': true,
        'data-focus': `kind ${kind}`,
        class: 'tab',
        'aria-current': kind === chosen ? 'true' : null,
      },
      label,
    );
  return element(
    'nav',
    { class: 'tabs', 'aria-label': 'Resource type' },
    ...[...kinds].sort().map((kind) => link(kind, kind)),
    link(ALL_TYPES, 'all types'),
  );
}
