import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { Instruments } from './instruments.ts';

/** An SDK beside, and what it has collected. */
function collector(instruments: Instruments) {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 3_600_000,
    exportTimeoutMillis: 60_000,
  });
  const provider = new MeterProvider({ readers: [reader] });
  instruments.bind(provider.getMeter('test'));
  return {
    async of(name: string) {
      const { resourceMetrics, errors } = await reader.collect();
      assert.deepEqual(errors, []);
      const metrics = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
      const found = metrics.find(({ descriptor }) => descriptor.name === name);
      return (found?.dataPoints ?? []).map(({ value, attributes }) => [value, attributes]);
    },
    stop: () => provider.shutdown(),
  };
}

const refusal = { kind: 'throttled', reason: 'rate_limit.exceeded' };

test('what is counted goes to each meter, from the time on that it was bound', async () => {
  const instruments = new Instruments();
  instruments.count('symbolon.security.refusals', refusal);
  assert.equal(instruments.isBound, false);
  const first = collector(instruments);
  instruments.count('symbolon.security.refusals', refusal);
  const second = collector(instruments);
  instruments.count('symbolon.security.refusals', refusal, 2);
  assert.deepEqual(await first.of('symbolon.security.refusals'), [[3, refusal]]);
  assert.deepEqual(await second.of('symbolon.security.refusals'), [[2, refusal]]);
  await Promise.all([first.stop(), second.stop()]);
});

test('gauges are read when somebody collects, once for all who do so within seconds', async () => {
  const instruments = new Instruments();
  let reads = 0;
  instruments.gauges(async (show) => {
    reads++;
    show('symbolon.jobs.waiting', 7, {});
  });
  const [first, second] = [collector(instruments), collector(instruments)];
  assert.equal(reads, 0);
  const seen = await Promise.all([first, second].map((each) => each.of('symbolon.jobs.waiting')));
  assert.deepEqual(seen, [[[7, {}]], [[7, {}]]]);
  assert.equal(reads, 1);
  await Promise.all([first.stop(), second.stop()]);
});

test('a gauge that cannot be read is missing, and keeps no other from being shown', async () => {
  const instruments = new Instruments();
  instruments.gauges(async (show) => {
    show('symbolon.feed.events', 1, {});
    throw new Error('The database is away.');
  });
  instruments.gauges((show) => show('symbolon.jobs.waiting', 7, {}));
  const collecting = collector(instruments);
  assert.deepEqual(await collecting.of('symbolon.feed.events'), []);
  assert.deepEqual(await collecting.of('symbolon.jobs.waiting'), [[7, {}]]);
  await collecting.stop();
});
