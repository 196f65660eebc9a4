/**
 * Checks what the documents and the owners of tables say against the project: `node scripts/check-docs.ts`, part of `npm run check`.
 * Of named files, only what concerns them is checked.
 */
import { alerts } from './checks/alerts.ts';
import { architecturePage } from './checks/architecture-page.ts';
import { citations } from './checks/citations.ts';
import { commandsPageDrift } from './checks/commands-page.ts';
import { commitSubjects } from './checks/commit-subjects.ts';
import { configurationPage } from './checks/configuration-page.ts';
import { conformance } from './checks/conformance.ts';
import { contributingPage } from './checks/contributing-page.ts';
import { decisions } from './checks/decisions.ts';
import { declaredErrors } from './checks/declared-errors.ts';
import { doors } from './checks/doors.ts';
import { brokenLinks } from './checks/links.ts';
import { longLines } from './checks/long-lines.ts';
import { machinePaths } from './checks/machine-paths.ts';
import { metricsPageDrift } from './checks/metrics-page.ts';
import { namedRows } from './checks/named-rows.ts';
import { pageDoors } from './checks/page-doors.ts';
import { plannedSentences } from './checks/planned-sentences.ts';
import { projectFiles } from './checks/project-files.ts';
import { stores } from './checks/stores.ts';
import { tableOwnership } from './checks/table-ownership.ts';
import { upgradePages } from './checks/upgrade-pages.ts';
import { wireErrors } from './checks/wire-errors.ts';
import { wireEvents } from './checks/wire-events.ts';
import { argumentsOf } from './usage.ts';

interface Check {
  readonly name: string;
  /** The files that it reads. */
  readonly concerns: RegExp;
  /** @returns its problems, one line each. */
  run(): Promise<string[]>;
}

const root = `${import.meta.dirname}/..`;

/** Every check, in the order in which they run; another one is another line here. */
export const checks: readonly Check[] = [
  { name: 'links', concerns: /./, run: async () => brokenLinks(root, projectFiles(root)) },
  { name: 'long lines', concerns: /\.md$/, run: async () => longLines(root, projectFiles(root)) },
  { name: 'commit subjects', concerns: /./, run: async () => commitSubjects(root) },
  { name: 'machine paths', concerns: /./, run: async () => machinePaths(root, projectFiles(root)) },
  {
    name: 'decisions',
    concerns: /^docs\/decisions\//,
    run: async () => decisions(root, projectFiles(root)),
  },
  {
    name: 'configuration page',
    concerns: /^docs\/configuration\.md$|\/config-variables\.ts$/,
    run: async () => configurationPage(root),
  },
  {
    name: 'upgrade pages',
    concerns: /^docs\/upgrades\/|^CHANGELOG\.md$|\/db\/migrations\//,
    run: async () => upgradePages(root),
  },
  {
    name: 'metrics page',
    concerns: /^docs\/metrics\.md$|\/instrument-table\.ts$|^scripts\/metrics-page\.ts$/,
    run: async () => metricsPageDrift(root),
  },
  {
    name: 'commands page',
    concerns: /^docs\/commands\.md$|^packages\/cli\/src\/resources\/table\/|^scripts\/commands-page\.ts$/,
    run: async () => commandsPageDrift(root),
  },
  {
    name: 'alerts',
    concerns: /^deploy\/|^docs\/runbook\.md$|\/instrument-table\.ts$/,
    run: async () => alerts(root),
  },
  {
    name: 'conformance',
    concerns: /^docs\/oidc-conformance\.md$|\.test\.ts$/,
    run: async () => conformance(root),
  },
  {
    name: 'citations',
    concerns: /^docs\/wire\/|\.(?:[cm]?[jt]sx?|py|sql)$/,
    run: async () => citations(root, projectFiles(root)),
  },
  { name: 'wire errors', concerns: /^docs\/wire\/|^packages\/protocol\//, run: () => wireErrors(root) },
  {
    name: 'declared errors',
    concerns: /^packages\/(?:server|protocol)\//,
    run: () => declaredErrors(root),
  },
  { name: 'wire events', concerns: /^docs\/wire\/|^packages\/protocol\//, run: () => wireEvents(root) },
  { name: 'contributing page', concerns: /./, run: async () => contributingPage(root, projectFiles(root)) },
  {
    name: 'planned sentences',
    concerns: /^docs\/wire\/|^packages\/server\//,
    run: async () => plannedSentences(root, projectFiles(root)),
  },
  { name: 'doors', concerns: /^packages\/server\//, run: async () => doors(root, projectFiles(root)) },
  { name: 'stores', concerns: /^packages\/server\//, run: async () => stores(root, projectFiles(root)) },
  {
    name: 'doors of the pages',
    concerns: /^apps\/web\//,
    run: async () => pageDoors(root, projectFiles(root)),
  },
  {
    name: 'table ownership',
    concerns: /^packages\/server\//,
    run: () => tableOwnership(root, projectFiles(root)),
  },
  {
    name: 'architecture page',
    concerns:
      /^ARCHITECTURE\.md$|^scripts\/checks\/doors\.ts$|^(?:packages|apps)\/[^/]+\/(?:package\.json$|src\/)/,
    run: async () => architecturePage(root, projectFiles(root)),
  },
  {
    name: 'named rows',
    concerns: /\.test\.ts$|^packages\/(protocol|testkit)\//,
    run: () => namedRows(root, projectFiles(root)),
  },
];

if (import.meta.main) {
  const named = argumentsOf('node scripts/check-docs.ts [FILE…]');
  const concerned = checks.filter(
    ({ concerns }) => named.length === 0 || named.some((file) => concerns.test(file)),
  );
  for (const { name, run } of concerned) {
    for (const problem of await run()) {
      console.error(`${problem} (${name})`);
      process.exitCode = 1;
    }
  }
}
