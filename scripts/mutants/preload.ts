/*
 * Loaded before everything else by the processes of tests, their workers and their children: gives them changed sources of the server.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { SETTINGS_VARIABLE, type Settings } from './settings.ts';

declare global {
  // What a source with probes writes into.
  var reachedPlaces: Uint8Array;
  // Failures of calls without an await.
  var lostFailures: string[] | undefined;
}

const settings = JSON.parse(readFileSync(process.env[SETTINGS_VARIABLE] ?? '', 'utf8')) as Settings;
const changed = new Map(
  Object.entries(settings.sources).map(([file, source]) => [
    pathToFileURL(join(settings.root, file)).href,
    source,
  ]),
);
registerHooks({
  load(url, context, next) {
    const source = changed.get(url);
    return source === undefined
      ? next(url, context)
      : // It is read when it is needed: a source with probes is a file of its own.
        { format: 'module-typescript', source: readFileSync(source, 'utf8'), shortCircuit: true };
  },
});

const { places } = settings;
const isEntry = isMainThread && process.argv[1] === settings.entry;
if (places !== undefined) {
  const known = getEnvironmentData('reachedPlaces');
  const shared = known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(places);
  // Workers note what they reach for the test that runs in the process.
  setEnvironmentData('reachedPlaces', shared);
  globalThis.reachedPlaces = new Uint8Array(shared);
  if (isMainThread && !isEntry) {
    process.on('exit', () => {
      const reached = [...globalThis.reachedPlaces.keys()].filter((place) => globalThis.reachedPlaces[place]);
      writeFileSync(`${settings.result}.${process.pid}`, JSON.stringify(reached));
    });
  }
}
if (isEntry && places === undefined) {
  globalThis.lostFailures = [];
  // Node's test runner hears of it too, and fails the file at its end.
  process.on('unhandledRejection', (error) => globalThis.lostFailures?.push(String(error)));
}
if (isEntry && places !== undefined) (await import('./recorder.ts')).record(settings);
