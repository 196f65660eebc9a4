import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { startRegions } from '@symbolon/testkit/platform/regions';
import { listening } from '@symbolon/testkit/servers/listening';
import { startTelemetry } from '../../packages/server/src/http/otlp.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** Takes what is sent by OTLP as JSON. */
async function openCollector() {
  const spans: Span[] = [];
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    paths.add(request.url ?? '');
    const body = (await json(request)) as {
      resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
    };
    for (const { scopeSpans } of body.resourceSpans ?? [])
      spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const { port } = await listening(server);
  return { spans, paths, url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

test('a call through a front door is one trace, from the caller to the queries of the region', async () => {
  const collector = await openCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const telemetry = await startTelemetry(process.env);
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await using regions = await startRegions('sqlite', ['eu']);
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const answer = await fetch(`${regions.url}/api/seal/certificates`, { headers });
  assert.equal(answer.status, 200);
  await telemetry.stop();
  collector.stop();
  assert.deepEqual([...collector.paths].sort(), ['/v1/metrics', '/v1/traces']);
  const own = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => own.find((span) => span.name === name);
  const [door, region] = [named('GET /api/seal/certificates'), named('GET /internal/seal-certificates')];
  const query = named('select seal_chains');
  assert.deepEqual(
    [door?.parentSpanId, region?.parentSpanId, query?.parentSpanId],
    ['b7ad6b7169203331', door?.spanId, region?.spanId],
    own.map(({ name }) => name).join(),
  );
});
