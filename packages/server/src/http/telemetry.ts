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
import type { Exchange } from './connections.ts';

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

/** The pattern of the route that a request is for. */
const ROUTE = Symbol('route');
type Routed = Exchange['request'] & { [ROUTE]?: string };

/**
 * A duration, and where spans are taken a span, for every request, under the names of OpenTelemetry's HTTP conventions. An SDK
 * must be there before the server is made.
 * @returns to be called when an answer has ended: hooks for that make the framework listen to each response a second time
 */
export function observeRequests(
  app: App,
  instruments: Instruments,
): (exchange: Exchange, ms: number) => void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    (raw as Routed)[ROUTE] = routeOptions.url ?? '';
    done();
  });
  // Without a listener these hooks would only cost time on every request.
  if (isTraced()) traceRequests(app);
  return ({ request, response }, ms) => {
    if (!response.headersSent) return;
    instruments.requests.count(response.statusCode, ms);
    if (instruments.isBound)
      instruments.record('http.server.request.duration', ms / 1000, {
        'http.request.method': request.method ?? '',
        'http.route': (request as Routed)[ROUTE] ?? '',
        'http.response.status_code': response.statusCode,
      });
  };
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
