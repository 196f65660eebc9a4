import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, getTestContext, type SuiteContext, type TestContext } from 'node:test';
import type { EventName } from '@symbolon/protocol';
import { isForwarded } from '../../../server/src/access/callers.ts';
import type { App } from '../../../server/src/http/app.ts';
import { PREPARATION_HEADER } from '../platform/calls.ts';
import { EVIDENCE_VARIABLE, type Evidence, type RowId, routeRow } from './evidence-rows.ts';

/*
 * Records which rows of the wire's tables a test proves. A test names a row with `proves`; the claim is written only when the
 * test passes, and a test fails that names a route, an error or an event which did not occur while it ran. A route
 * that succeeds without a claim is exercised, which proves nothing; calls that prepare a test (`must`) and suites
 * that walk over all routes do not even exercise. Tests that run at the same time in one process share what occurred.
 */

interface Running {
  readonly claims: Set<string>;
  readonly seen: Set<string>;
  /** Routes that succeeded when they were called for their own sake. */
  readonly exercised: Set<string>;
  /** Events that the test wrote into a feed itself. */
  readonly forged: Set<string>;
  /** Calls that a platform answered with 500: the test fails on one that it did not announce. */
  readonly broken: Set<string>;
  /** Whether the test brings such an answer about. */
  isAnnounced: boolean;
}

/** Suites that call every route with everything: what they are answered says nothing about what a route is for. */
const WALKERS = 'test/security/';

/** Between the titles of suites and tests. */
const SEPARATOR = ' > ';
const ROOT = join(import.meta.dirname, '../../../..');
/** Rows of these kinds must occur while a test that names them runs. */
const OBSERVED = /^(route|error|event):/;

const running = new Map<TestContext | SuiteContext | undefined, Running>();

beforeEach((context) => {
  running.set(context, {
    claims: new Set(),
    seen: new Set(),
    exercised: new Set(),
    forged: new Set(),
    broken: new Set(),
    isAnnounced: false,
  });
});

afterEach((context) => {
  const test = running.get(context);
  running.delete(context);
  // `afterEach` gets the context of a test, never that of a suite.
  const [file, title] = placeOf(context as TestContext);
  if (test === undefined) return;
  const { claims, seen, exercised, forged, broken, isAnnounced } = test;
  const failed = `The platform itself failed: ${[...broken].join(', ')}`;
  if (!(context as TestContext & { readonly passed: boolean }).passed) {
    // The test says only what it got instead; why stands in an answer that it does not print.
    if (!isAnnounced && broken.size > 0) (context as TestContext).diagnostic(failed);
    return;
  }
  if (!isAnnounced && broken.size > 0) throw new Error(failed);
  const unseen = [...claims].filter((row) => OBSERVED.test(row) && (!seen.has(row) || forged.has(row)));
  if (unseen.length > 0) throw new Error(`The test names what did not occur: ${unseen.join(', ')}`);
  const folder = process.env[EVIDENCE_VARIABLE];
  if (folder === undefined || claims.size + seen.size === 0) return;
  const evidence: Evidence = {
    file,
    test: title,
    claims: [...claims],
    exercised: file.startsWith(WALKERS) ? [] : [...exercised],
    seen: [...seen],
  };
  // One process writes one file: tests that run at the same time do not mix their lines.
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(evidence)}\n`);
});

/** The file of a test, and its titles. Of files that share a process the outermost title is the file. */
function placeOf({ filePath = '', fullName }: TestContext): [file: string, title: string] {
  if (filePath.endsWith('.test.ts')) return [relative(ROOT, filePath), fullName];
  const [file = '', ...titles] = fullName.split(SEPARATOR);
  if (!file.endsWith('.test.ts')) throw new Error('The test is not in the suite of its file.');
  return [file, titles.join(SEPARATOR)];
}

/** Names rows that the running test proves. */
export function proves(...rows: readonly RowId[]): void {
  const test = running.get(getTestContext());
  if (test === undefined) throw new Error('proves() is called outside a test.');
  for (const row of rows) test.claims.add(row);
}

/** Announces that the running test makes a platform answer 500, on which it would fail. */
export function breaks(): void {
  const test = running.get(getTestContext());
  if (test === undefined) throw new Error('breaks() is called outside a test.');
  test.isAnnounced = true;
}

/** Notes that something occurred while tests run. */
export function saw(row: RowId): void {
  for (const { seen } of running.values()) seen.add(row);
}

/** Notes the routes that succeed on a server, the errors that it answers and the events that it hands over. */
export function observe(app: App): void {
  app.addHook('onSend', (request, { statusCode }, payload, next) => {
    const { url } = request.routeOptions;
    const text = typeof payload === 'string' ? payload : '';
    if (statusCode >= 400) {
      const [, key] = /"error_key":"([^"]+)"/.exec(text) ?? [];
      if (key !== undefined) saw(`error:${key}` as RowId);
      // A handler that failed, or an answer that is not what the OpenAPI document says (`checkResponses`).
      if (statusCode === 500)
        for (const { broken } of running.values()) broken.add(`${request.method} ${request.url}: ${text}`);
    }
    if (url !== undefined) {
      const row = routeRow(request.method, url, statusCode);
      if (row !== undefined) {
        saw(row);
        if (request.headers[PREPARATION_HEADER] === undefined && !isForwarded(request)) {
          for (const { exercised } of running.values()) exercised.add(row);
        }
      }
      if (url.endsWith('/changes')) sawEvents(eventsIn(text));
    }
    next();
  });
}

/** Notes events by their names. */
export function sawEvents(names: readonly string[]): void {
  for (const name of names) saw(`event:${name}` as RowId);
}

/** Notes that a test writes an event into a feed itself: then its delivery does not prove that the platform raises it. */
export function forges(name: EventName): void {
  for (const { forged } of running.values()) forged.add(`event:${name}`);
}

/** The names of the events in an answer of a feed or in a delivery. */
export function eventsIn(text: string): string[] {
  return [...text.matchAll(/"event":"([^"]+)"|<event>([^<]+)</g)].map(([, json, xml = '']) => json ?? xml);
}
