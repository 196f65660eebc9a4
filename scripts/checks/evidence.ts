import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Evidence, type Section, sections, UNREACHABLE } from '@symbolon/testkit/evidence/evidence-rows';
import { readConfig } from '../../packages/server/src/core/config.ts';
import { serve } from '../../packages/server/src/serve.ts';

/** What is read here of an operation of the OpenAPI document. */
interface Operation {
  readonly summary?: string;
  readonly 'x-errors'?: Readonly<Record<string, readonly string[]>>;
}

/** Every row that needs a proof; the routes are those of the OpenAPI document. */
export async function declaredSections(): Promise<readonly Section[]> {
  return sections(
    Object.entries(await openApiPaths()).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
let read: Promise<Paths> | undefined;

/** The paths of the OpenAPI document of a platform that this starts, once. */
export function openApiPaths(): Promise<Paths> {
  read ??= readOpenApi();
  return read;
}

async function readOpenApi(): Promise<Paths> {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-rows-'));
  const platform = await serve(
    readConfig({
      SYMBOLON_DATA_DIR: folder,
      SYMBOLON_HOST: '127.0.0.1',
      SYMBOLON_PORT: '0',
      SYMBOLON_LOG_LEVEL: 'silent',
    }),
  );
  try {
    const response = await fetch(`${platform.url}/openapi.json`);
    if (!response.ok) throw new Error(`/openapi.json answers ${response.status}: ${await response.text()}`);
    const { paths } = (await response.json()) as { paths: Paths };
    return paths;
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true });
  }
}

/** What the test processes of a run wrote into a folder. */
export function readEvidence(folder: string): Evidence[] {
  return readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Evidence);
}

/**
 * What is wrong with the evidence of a run, one line each.
 * @param isWhole whether all tests ran: then every row needs a proof
 */
export function problemsOf(
  declared: readonly Section[],
  evidence: readonly Evidence[],
  isWhole: boolean,
  unreachable: Readonly<Record<string, string>> = UNREACHABLE,
): string[] {
  const rows = new Set<string>(declared.flatMap((section) => section.rows.map(({ id }) => id)));
  const proved = new Set(evidence.flatMap(({ claims }) => claims));
  const madeUp = evidence.flatMap(({ file, test, claims }) =>
    claims.filter((row) => !rows.has(row)).map((row) => `${file}: "${test}" names ${row}, which is no row`),
  );
  const unknown = Object.keys(unreachable).filter((row) => !rows.has(row));
  const problems = [
    ...new Set(madeUp),
    ...unknown.map((row) => `${row} is listed as unreachable and is no row`),
  ];
  if (!isWhole) return problems;
  for (const row of rows) {
    const isExcused = row in unreachable;
    if (proved.has(row) && isExcused) problems.push(`${row} is listed as unreachable, and a test proves it`);
    if (!proved.has(row) && !isExcused) problems.push(`No test proves ${row}${hintAt(row, evidence)}`);
  }
  return problems;
}

/** Where a proof of a row could stand. */
function hintAt(row: string, evidence: readonly Evidence[]): string {
  const exercising = evidence.find(({ exercised }) => exercised.includes(row));
  const witness = exercising ?? evidence.find(({ seen }) => seen.includes(row));
  if (witness === undefined) return row.startsWith('route:') ? ', and none calls it' : '';
  const verb = exercising === undefined ? 'occurs' : 'is exercised';
  return `; it ${verb} in ${witness.file}: "${witness.test}"`;
}
