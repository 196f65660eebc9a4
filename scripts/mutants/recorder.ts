import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, type TestContext } from 'node:test';
import type { FileReach, Settings, TestReach } from './settings.ts';

type Test = { -readonly [Key in keyof TestReach]: TestReach[Key] } & { readonly reached: Set<number> };

/** Notes, for each test of the process, which places it reaches and what it costs; writes it when the process ends. */
export function record({ files, result }: Settings): void {
  const outside = new Map<string, { cost: number; reached: Set<number> }>();
  const tests = new Map<string, Test>();
  const running = new Set<Test>();
  let file = files[0] ?? '';
  let used = process.cpuUsage();

  const settle = () => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    const beside = outside.get(file) ?? { cost: 0, reached: new Set() };
    outside.set(file, beside);
    const owners = running.size > 0 ? [...running] : [beside];
    for (const owner of owners) owner.cost += (user + system) / 1000 / owners.length;
    const places = globalThis.reachedPlaces;
    for (let place = places.indexOf(1); place >= 0; place = places.indexOf(1, place + 1)) {
      for (const owner of owners) owner.reached.add(place);
      places[place] = 0;
    }
  };

  beforeEach((context) => {
    const name = nameOf(context as TestContext, files);
    // What its hooks did before belongs to the file of the test that starts.
    if (running.size === 0) file = files.find((known) => name.startsWith(known)) ?? file;
    settle();
    const test: Test = { passed: false, cost: 0, places: [], reached: new Set() };
    tests.set(name, test);
    running.add(test);
  });
  afterEach((context) => {
    settle();
    const test = tests.get(nameOf(context as TestContext, files));
    if (test === undefined) return;
    test.passed = (context as TestContext & { readonly passed: boolean }).passed;
    running.delete(test);
  });
  process.on('exit', () => {
    running.clear();
    settle();
    const found: Record<string, FileReach> = {};
    for (const known of files) {
      const own = [...tests].filter(([name]) => name.startsWith(`${known} > `));
      const beside = outside.get(known);
      found[known] = {
        outside: [...(beside?.reached ?? [])],
        outsideCost: Math.round(beside?.cost ?? 0),
        tests: Object.fromEntries(
          own.map(([name, { passed, cost, reached }]) => [
            name,
            { passed, cost: Math.round(cost), places: [...reached] },
          ]),
        ),
      };
    }
    writeFileSync(result, JSON.stringify(found));
  });
}

/** The titles of a test behind its file: of files that share a process, the outermost title is the file. */
function nameOf({ fullName }: TestContext, files: readonly string[]): string {
  return files.length > 1 ? fullName : `${files[0]} > ${fullName}`;
}
