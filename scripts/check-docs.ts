/** Checks what the documents and the owners of tables say against the project: `node scripts/check-docs.ts`, part of `npm run check`. */
import { architecturePage } from './checks/architecture-page.ts';
import { citations } from './checks/citations.ts';
import { configurationPage } from './checks/configuration-page.ts';
import { conformance } from './checks/conformance.ts';
import { doors } from './checks/doors.ts';
import { brokenLinks } from './checks/links.ts';
import { machinePaths } from './checks/machine-paths.ts';
import { namedRows } from './checks/named-rows.ts';
import { projectFiles } from './checks/project-files.ts';
import { tableOwnership } from './checks/table-ownership.ts';
import { wireErrors } from './checks/wire-errors.ts';

interface Check {
  readonly name: string;
  /** @returns its problems, one line each. */
  run(): Promise<string[]>;
}

const root = `${import.meta.dirname}/..`;

/** Every check, in the order in which they run; another one is another line here. */
export const checks: readonly Check[] = [
  { name: 'links', run: async () => brokenLinks(root, projectFiles(root)) },
  { name: 'machine paths', run: async () => machinePaths(root, projectFiles(root)) },
  { name: 'configuration page', run: async () => configurationPage(root) },
  { name: 'conformance', run: async () => conformance(root) },
  { name: 'citations', run: async () => citations(root, projectFiles(root)) },
  { name: 'wire errors', run: () => wireErrors(root) },
  { name: 'doors', run: async () => doors(root, projectFiles(root)) },
  { name: 'table ownership', run: () => tableOwnership(root, projectFiles(root)) },
  { name: 'architecture page', run: async () => architecturePage(root) },
  { name: 'named rows', run: () => namedRows(root, projectFiles(root)) },
];

if (import.meta.main) {
  for (const { name, run } of checks) {
    for (const problem of await run()) {
      console.error(`${problem} (${name})`);
      process.exitCode = 1;
    }
  }
}
