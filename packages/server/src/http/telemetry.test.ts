import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { startPlatform } from '@symbolon/testkit/platform/platform';

/** Records spans; an OpenTelemetry SDK would send it on. */
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
