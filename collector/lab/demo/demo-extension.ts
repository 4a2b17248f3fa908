import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { packageExtension } from '../../rollout/package/package-extension.ts';
import type { DemoCollector } from './demo-collector.ts';
import { DEMO_SETTINGS } from './demo-settings.ts';

export interface DemoExtension {
  /** Unpacked, enrolled at the demo's collector, permitted to measure the demo's targets and nothing else. */
  readonly dir: string;
  remove(): Promise<void>;
}

/** `source` is the folder of the built extensions. The package holds the ingest key, so it is removed afterwards. */
export async function packageDemoExtension(
  source: string,
  engine: BrowserEngine,
  { origin, ingestKey }: Pick<DemoCollector, 'origin' | 'ingestKey'>,
): Promise<DemoExtension> {
  const dir = await mkdtemp(join(tmpdir(), 'lastbyte-demo-extension-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  try {
    const enrolment = { collector: origin, key: ingestKey, site: 'demo' };
    await packageExtension({ source, engine, targets: DEMO_SETTINGS.targets, enrolment, network: true, out: dir });
  } catch (error) {
    await remove();
    throw error;
  }
  return { dir, remove };
}
