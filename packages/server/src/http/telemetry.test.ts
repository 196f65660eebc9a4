import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { startPlatform } from '@symbolon/testkit/platform/platform';
import { observeEventLoop } from './telemetry.ts';

/** Records what is told of spans; an OpenTelemetry SDK would send it on. */
class Recorder {
  readonly ended: { name: string; attributes: Record<string, unknown> }[] = [];

  getTracer() {
    return {
      startSpan: (name: string, options: SpanOptions = {}): Span => {
        const attributes: Record<string, unknown> = { ...options.attributes };
        const span = {
          spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 0 }),
          setAttribute(key: string, value: unknown) {
            attributes[key] = value;
            return span;
          },
          setStatus: () => span,
          isRecording: () => true,
          end: () => this.ended.push({ name, attributes }),
        };
        return span as unknown as Span;
      },
      startActiveSpan: () => undefined as never,
    };
  }
}

test('each request is a span under its route, without what the address held', async () => {
  const recorder = new Recorder();
  trace.setGlobalTracerProvider(recorder as never);
  const platform = await startPlatform('sqlite');
  await platform.call('GET', '/api/services/some-secret-id');
  await platform.stop();
  assert.deepEqual(recorder.ended, [
    {
      name: 'GET /api/services/:id',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/services/:id',
        'http.response.status_code': 401,
      },
    },
  ]);
});

test('the delay of the event loop is told as gauges of seconds', async () => {
  const gauges = new Map<string, () => number>();
  const meter = {
    createObservableGauge: (name: string) => ({
      addCallback(callback: (result: { observe(value: number): void }) => void) {
        gauges.set(name, () => {
          let told = Number.NaN;
          callback({
            observe: (value) => {
              told = value;
            },
          });
          return told;
        });
      },
    }),
  };
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as never);
  try {
    observeEventLoop();
  } finally {
    metrics.disable();
  }
  const max = gauges.get('nodejs.eventloop.delay.max');
  assert.deepEqual([...gauges.keys()].map((name) => name.replace('nodejs.eventloop.delay.', '')).sort(), [
    'max',
    'mean',
    'min',
    'p50',
    'p90',
    'p99',
    'stddev',
  ]);
  // It counts from one of its ticks to the next: what holds the thread before the first is not seen.
  await eventually('a delay of the event loop', () => {
    const until = performance.now() + 200;
    while (performance.now() < until);
    return (max?.() ?? 0) > 0.15 ? true : undefined;
  });
});
