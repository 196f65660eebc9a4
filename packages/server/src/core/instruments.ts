import type { Attributes, BatchObservableResult, Meter, ObservableGauge } from '@opentelemetry/api';
import { type Clock, systemClock } from './clock.ts';
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  instrumentTable,
  type Labels,
} from './instrument-table.ts';
import { RequestTally } from './request-tally.ts';

/** Says what a gauge shows. */
export type Show = <Name extends GaugeName>(name: Name, value: number, labels: Labels<Name>) => void;
/** Of documents that are sealed, and of the address. */
type Certificate = 'seal' | 'tls';
/** Reads what gauges show. One that fails, or is slow, shows nothing this time. */
export type GaugeReader = (show: Show) => void | Promise<void>;

/** What is read at a time is shown for so long: several collectors cost no more than one. */
const FRESH_MS = 5_000;
/** A collector waits no longer for what is read. */
const READ_MOST_MS = 2_000;

type Shown = readonly [name: GaugeName, value: number, labels: Attributes];

interface Reader {
  readonly read: GaugeReader;
  shown: readonly Shown[];
  at: number;
}

interface Bound {
  count(name: string, by: number, labels: Attributes): void;
  record(name: string, value: number, labels: Attributes): void;
}

/**
 * What a process measures, by the API of OpenTelemetry. It goes to each meter that is bound: that of the management port from its first
 * reading on, that of an SDK from the start. Without one nothing is counted and nothing read but what operators see.
 */
export class Instruments {
  /** What was answered lately. */
  readonly requests: RequestTally;
  readonly #clock: Clock;
  readonly #certificates = new Map<Certificate, () => number>();
  readonly #bound: Bound[] = [];
  readonly #readers: Reader[] = [];
  #reading: Promise<void> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.requests = new RequestTally(clock);
  }

  get isBound(): boolean {
    return this.#bound.length > 0;
  }

  count<Name extends CounterName>(name: Name, labels: Labels<Name>, by = 1): void {
    for (const bound of this.#bound) bound.count(name, by, labels);
  }

  record<Name extends HistogramName>(name: Name, value: number, labels: Labels<Name>): void {
    for (const bound of this.#bound) bound.record(name, value, labels);
  }

  /** Adds what is read at each collection. */
  gauges(read: GaugeReader): void {
    this.#readers.push({ read, shown: [], at: Number.NEGATIVE_INFINITY });
  }

  /** Adds a certificate. @param endsAt milliseconds, those of the one that is in use now */
  certificate(name: Certificate, endsAt: () => number): void {
    this.#certificates.set(name, endsAt);
    const remaining = () => (endsAt() - this.#clock.now()) / 1000;
    this.gauges((show) => show(`symbolon.${name}.certificate.remaining`, remaining(), {}));
  }

  /** In milliseconds; undefined: there is no such certificate. */
  certificateEnd(name: Certificate): number | undefined {
    return this.#certificates.get(name)?.();
  }

  bind(meter: Meter): void {
    const counters = new Map<string, ReturnType<Meter['createCounter']>>();
    const histograms = new Map<string, ReturnType<Meter['createHistogram']>>();
    const gauges = new Map<string, ObservableGauge>();
    for (const [name, row] of Object.entries(instrumentTable)) {
      const { kind, unit, help: description } = row;
      const options = { unit, description };
      if (kind === 'counter') counters.set(name, meter.createCounter(name, options));
      else if (kind === 'gauge') gauges.set(name, meter.createObservableGauge(name, options));
      else {
        const advice = { explicitBucketBoundaries: [...row.buckets] };
        histograms.set(name, meter.createHistogram(name, { ...options, advice }));
      }
    }
    this.#bound.push({
      count: (name, by, labels) => counters.get(name)?.add(by, labels),
      record: (name, value, labels) => histograms.get(name)?.record(value, labels),
    });
    const observe = async (result: BatchObservableResult) => {
      await this.#readAll();
      for (const { shown } of this.#readers)
        for (const [name, value, labels] of shown) {
          const gauge = gauges.get(name);
          if (gauge !== undefined) result.observe(gauge, value, labels);
        }
    };
    meter.addBatchObservableCallback(observe, [...gauges.values()]);
  }

  /** Reads what is not fresh; several that collect at once wait for the same reading. */
  #readAll(): Promise<void> {
    this.#reading ??= Promise.all(this.#readers.map((reader) => this.#readOne(reader)))
      .then(() => {})
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readOne(reader: Reader): Promise<void> {
    if (performance.now() - reader.at < FRESH_MS) return;
    const shown: Shown[] = [];
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, READ_MOST_MS);
    let isDone = false;
    const read = Promise.resolve()
      .then(() => reader.read((name, value, labels) => void shown.push([name, value, labels])))
      .then(
        () => {
          isDone = true;
        },
        () => {},
      );
    await Promise.race([read, late.promise]).finally(() => clearTimeout(timer));
    reader.shown = isDone ? shown : [];
    reader.at = performance.now();
  }
}

/** For parts that are used without a platform around them, as in tests. */
export const noInstruments = new Instruments();
