import { arch, cpus, platform, totalmem } from 'node:os';
import type { Machine } from './bench-result.ts';

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    platform: platform(),
    arch: arch(),
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cpus: processors.length,
    memoryBytes: totalmem(),
    node: process.version,
  };
}
