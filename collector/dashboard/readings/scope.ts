import { panelElement } from '../render/panel.ts';
import type { Read, Reading } from './reading.ts';
import type { Readings, Watch } from './readings.ts';

export interface PanelSpec<Value> {
  /** What is read, without the clock: two panels with one key share one request, and "back" finds the last value. */
  readonly key: string;
  /** Names the part of the page: read out while it loads, and `data-panel` for tests. */
  readonly name: string;
  readonly read: Read<Value>;
  /** The content for a value, drawn anew with each new value. Panels inside belong into the given scope. */
  render(value: Value, scope: Scope): readonly Node[];
  /** The shape of what is to come; by default a whole view's. */
  readonly shape?: 'view' | 'chart';
}

/** Makes the parts of a page that read something, and ends them together when the page changes. */
export interface Scope {
  panel<Value>(spec: PanelSpec<Value>): HTMLElement;
  /** Reads without a place of its own on the page; `changed` is told at once how things stand. */
  watch<Value>(key: string, read: Read<Value>, changed: (reading: Reading<Value>) => void): void;
  stop(): void;
}

export function createScope(readings: Readings): Scope {
  const ends: (() => void)[] = [];
  return {
    panel<Value>(spec: PanelSpec<Value>): HTMLElement {
      let inner: Scope | null = null;
      let drawnAt: number | null = null;
      let watch: Watch | null = null;
      const panel = panelElement(spec.name, spec.shape ?? 'view', {
        retry: () => watch?.refresh(),
        cancel: () => watch?.cancel(),
      });
      const changed = (reading: Reading<Value>) => {
        const { last } = reading;
        if (last !== null && last.at !== drawnAt) {
          drawnAt = last.at;
          const before = inner;
          inner = createScope(readings);
          panel.fill(spec.render(last.value, inner));
          // Only now: what is on both pages is read on without a break.
          before?.stop();
        }
        panel.state(reading);
      };
      watch = readings.watch(spec.key, spec.read, changed);
      ends.push(() => {
        watch?.stop();
        inner?.stop();
        panel.end();
      });
      return panel.element;
    },
    watch(key, read, changed) {
      const watched = readings.watch(key, read, changed);
      ends.push(() => watched.stop());
    },
    stop() {
      for (const end of ends.splice(0)) end();
    },
  };
}
