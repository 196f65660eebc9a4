import { context, metrics, propagation, trace } from '@opentelemetry/api';

type Environment = Readonly<Record<string, string | undefined>>;

/** What goes out by OTLP, until the process ends. */
export interface Telemetry {
  stop(): Promise<void>;
}

const none: Telemetry = { async stop() {} };

/**
 * Sends traces and metrics by OTLP over HTTP when the standard variables of OpenTelemetry say where to. The exporters read
 * these themselves. An SDK that the process was started with is left alone: it was registered first.
 */
export async function startTelemetry(environment: Environment): Promise<Telemetry> {
  const [traces, measures] = (['TRACES', 'METRICS'] as const).map((signal) => isSent(environment, signal));
  if (traces !== true && measures !== true) return none;
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  const own = resourceFromAttributes({ 'service.name': 'symbolon' });
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
  const providers: { shutdown(): Promise<void> }[] = [];
  if (traces === true) {
    const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }] =
      await Promise.all([
        import('@opentelemetry/sdk-trace'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/context-async-hooks'),
        import('@opentelemetry/core'),
      ]);
    const spanProcessors = [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })];
    const provider = new sdk.TracerProvider({ resource, spanProcessors });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(provider);
    providers.push(provider);
  }
  if (measures === true) {
    const [{ MeterProvider, PeriodicExportingMetricReader }, { OTLPMetricExporter }] = await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
    ]);
    const readers = [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })];
    const provider = new MeterProvider({ resource, readers });
    metrics.setGlobalMeterProvider(provider);
    providers.push(provider);
  }
  return {
    // What is left goes out; a collector that is away keeps no process from ending.
    stop: async () => void (await Promise.allSettled(providers.map((provider) => provider.shutdown()))),
  };
}

function isSent(environment: Environment, signal: 'TRACES' | 'METRICS'): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = environment[`OTEL_${signal}_EXPORTER`];
  if (exporter) return exporter === 'otlp';
  return Boolean(
    environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`],
  );
}
