import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@symbolon/server');

/** What a statement does to which table; values and conditions stay out. */
function summaryOf(text: string): string {
  const [, verb = 'query'] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update|join)\s+"?(\w+)/i.exec(text) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** Runs a statement in a span of its own, when it belongs to a trace. */
export function inQuerySpan<T>(system: 'sqlite' | 'postgresql', text: string, run: () => T): T {
  if (trace.getActiveSpan() === undefined) return run();
  const attributes = { 'db.system.name': system, 'db.query.summary': summaryOf(text) };
  const span = tracer.startSpan(attributes['db.query.summary'], { kind: SpanKind.CLIENT, attributes });
  const failed = (error: unknown): never => {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    throw error;
  };
  try {
    const result = run();
    if (result instanceof Promise)
      return result.then((value) => {
        span.end();
        return value;
      }, failed) as T;
    span.end();
    return result;
  } catch (error) {
    return failed(error);
  }
}
