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
import type { Instruments } from '../core/instruments.ts';
import { version } from '../core/version.ts';
import type { App } from './app.ts';

const SCOPE = '@symbolon/server';

/** Measures for the SDK that the process was started with, if there is one. */
export function bindGlobalMeter(instruments: Instruments): void {
  const meter = metrics.getMeter(SCOPE, version);
  if (meter !== createNoopMeter()) instruments.bind(meter);
}

/** Whether the process has an OpenTelemetry SDK that takes spans. */
function isTraced(): boolean {
  return isSpanContextValid(trace.getTracer(SCOPE, version).startSpan('start').spanContext());
}

/**
 * A duration, and where spans are taken a span, for every request, under the names of OpenTelemetry's HTTP conventions. An SDK
 * must be there before the server is made.
 */
export function observeRequests(app: App, instruments: Instruments): void {
  app.addHook('onResponse', (request, reply, done) => {
    instruments.requests.count(reply.statusCode, reply.elapsedTime);
    if (instruments.isBound)
      instruments.record('http.server.request.duration', reply.elapsedTime / 1000, {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url ?? '',
        'http.response.status_code': reply.statusCode,
      });
    done();
  });
  // Without a listener these hooks would only cost time on every request.
  if (isTraced()) traceRequests(app);
}

function traceRequests(app: App): void {
  const tracer = trace.getTracer(SCOPE, version);
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
    // What hooks and the handler do belongs to the span: queries, calls of other regions.
    context.with(trace.setSpan(parent, span), done);
  });

  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const span = spans.get(request);
      const call = () => handler.call(this, request, reply);
      return span === undefined ? call() : context.with(trace.setSpan(context.active(), span), call);
    };
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}
