import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { AddressGuard } from '../../outgoing/address-guard.ts';
import type { Metrics } from '../metrics/collect-metrics.ts';
import { otlpMetrics } from './otlp-metrics.ts';

/** The interval of OpenTelemetry's own SDKs, ms; OTEL_METRIC_EXPORT_INTERVAL changes it. */
const DEFAULT_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 10_000;

export interface OtlpPushOptions {
  /** Such as http://otel.example.com:4318; an address without a path gets `/v1/metrics`. */
  readonly url: string;
  readonly metrics: Metrics;
  readonly guard: AddressGuard;
  readonly version: string;
  readonly clock: () => number;
  /** Called after each attempt; `error` is null on success. */
  readonly pushed: (error: unknown) => void;
  readonly intervalMs?: number;
}

export interface OtlpPush {
  /** @param last whether to push once more before ending */
  stop(last: boolean): Promise<void>;
}

/**
 * Pushes the metrics of /metrics by OTLP over HTTP (protobuf). Headers come from OTEL_EXPORTER_OTLP_HEADERS, so that no
 * secret is on the command line. https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function startOtlpPush({ url, metrics, guard, version, clock, pushed, intervalMs }: OtlpPushOptions): OtlpPush {
  const exporter = new OTLPMetricExporter({
    url: metricsUrl(url),
    timeoutMillis: TIMEOUT_MS,
    httpAgentOptions: (protocol) => agentFor(protocol, guard),
  });
  const resource = resourceFromAttributes({ 'service.name': 'lastbyte', 'service.version': version });
  let running: Promise<void> | null = null;

  async function push(): Promise<void> {
    guard.check(new URL(url).hostname);
    const families = await metrics.collect();
    const scope = { name: 'lastbyte', version };
    const scopeMetrics = [{ scope, metrics: otlpMetrics(families, metrics.startedAt, clock()) }];
    const { code, error } = await new Promise<{ code: number; error?: Error }>((resolve) => {
      exporter.export({ resource, scopeMetrics }, resolve);
    });
    if (code !== 0) throw error ?? new Error('it was not accepted');
  }

  const tick = () => {
    running ??= push()
      .then(() => pushed(null), pushed)
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(tick, intervalMs ?? intervalFromEnvironment());
  timer.unref();
  return {
    async stop(last) {
      clearInterval(timer);
      await running;
      if (last) await tick();
      await exporter.shutdown();
    },
  };
}

/** The metrics address for a base address, as the specification defines it. */
export function metricsUrl(url: string): string {
  const address = new URL(url);
  if (address.pathname === '/') address.pathname = '/v1/metrics';
  return address.href;
}

/** Like the exporter's own agents, with the certificates of the environment, but names are resolved by the guard. */
function agentFor(protocol: string, { lookup }: AddressGuard): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, lookup };
  if (protocol === 'http:') return new HttpAgent(options);
  return new HttpsAgent({
    ...options,
    ...pem('ca', 'CERTIFICATE'),
    ...pem('cert', 'CLIENT_CERTIFICATE'),
    ...pem('key', 'CLIENT_KEY'),
  });
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#configuration-options */
function pem(option: 'ca' | 'cert' | 'key', name: string): { readonly [K in typeof option]?: Buffer } {
  const file = process.env[`OTEL_EXPORTER_OTLP_METRICS_${name}`] || process.env[`OTEL_EXPORTER_OTLP_${name}`] || null;
  return file === null ? {} : { [option]: readFileSync(file) };
}

function intervalFromEnvironment(): number {
  const wanted = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL);
  return Number.isInteger(wanted) && wanted >= 100 ? wanted : DEFAULT_INTERVAL_MS;
}
