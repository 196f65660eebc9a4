import type { Instruments } from '../../core/instruments.ts';
import { version } from '../../core/version.ts';

interface Collector {
  collect(): Promise<string>;
}

/**
 * What the process measures, in the text format of Prometheus. Measuring begins with the first reading: a collector sees no increase
 * before that, and a process that nothing reads need not load what adds up.
 */
export class MetricsPage {
  readonly #instruments: Instruments;
  #collector: Promise<Collector> | undefined;

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  async read(): Promise<string> {
    this.#collector ??= this.#begin();
    return (await this.#collector).collect();
  }

  async #begin(): Promise<Collector> {
    const [{ MeterProvider }, { PrometheusExporter, PrometheusSerializer }] = await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-prometheus'),
    ]);
    const reader = new PrometheusExporter({ preventServerStart: true });
    const provider = new MeterProvider({ readers: [reader] });
    this.#instruments.bind(provider.getMeter('@symbolon/server', version));
    // One scope and one resource: labels that say so would stand on each series.
    const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
    return {
      collect: async () => serializer.serialize((await reader.collect()).resourceMetrics),
    };
  }
}
