import {
  context,
  createNoopMeter,
  isSpanContextValid,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { type EventLoopDelay, eventLoop } from '../core/event-loop.ts';
import { version } from '../core/version.ts';
import type { App } from './app.ts';

const SCOPE = '@symbolon/server';

/** Whether the process has an OpenTelemetry SDK that hears of requests. */
function isObserved(): boolean {
  const span = trace.getTracer(SCOPE, version).startSpan('start').spanContext();
  return isSpanContextValid(span) || metrics.getMeter(SCOPE, version) !== createNoopMeter();
}

/**
 * A span and a duration for every request, under the names of OpenTelemetry's HTTP conventions. They go where the
 * process's OpenTelemetry SDK sends them, and nowhere when it has none; it must be there before the server is made.
 */
export function observeRequests(app: App): void {
  const tracer = trace.getTracer(SCOPE, version);
  const meter = metrics.getMeter(SCOPE, version);
  // Without a listener the hooks would only cost time on every request.
  if (!isObserved()) return;
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests',
  });
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers);
    const route = request.routeOptions.url ?? '';
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes },
      parent,
    );
    spans.set(request, span);
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    duration.record(reply.elapsedTime / 1000, {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? '',
      'http.response.status_code': statusCode,
    });
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

const DELAYS: Readonly<Record<keyof EventLoopDelay, string>> = {
  min: 'minimum delay',
  max: 'maximum delay',
  mean: 'mean delay',
  stddev: 'standard deviation of the delay',
  p50: 'delay that half of the time was not exceeded',
  p90: 'delay that was not exceeded in 90 % of the time',
  p99: 'delay that was not exceeded in 99 % of the time',
};

/** The delay of the event loop, under the names of OpenTelemetry's conventions for Node. */
export function observeEventLoop(): void {
  eventLoop.start();
  const meter = metrics.getMeter(SCOPE, version);
  for (const [part, description] of Object.entries(DELAYS) as [keyof EventLoopDelay, string][]) {
    meter
      .createObservableGauge(`nodejs.eventloop.delay.${part}`, {
        unit: 's',
        description: `Event loop ${description}`,
      })
      .addCallback((result) => result.observe(eventLoop.read()[part] / 1000));
  }
}
