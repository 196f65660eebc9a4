/** The pages of the documentation site that are written in Markdown, in the order in which the site lists them. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './root.ts';

/** A page as it is written: in Markdown, somewhere in the repository. */
export interface Written {
  /** Path in the repository. */
  readonly source: string;
  /** Address on the site, without its extension. */
  readonly slug: string;
  readonly title: string;
  readonly text: string;
}
export interface Section {
  readonly title: string;
  readonly pages: readonly Written[];
}

/** A source, and a name for the list where its heading is too long for it. */
type Entry = string | readonly [source: string, title: string];

const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT }).sort();
const wire = Array.from({ length: 14 }, (_, index) =>
  globSync(`docs/wire/${index + 1}-*.md`, { cwd: ROOT }),
).flat();

const SECTIONS: Readonly<Record<string, readonly Entry[]>> = {
  Start: [
    ['docs/index.md', 'Overview'],
    ['docs/quick-start.md', 'Quick start'],
    ['docs/concepts.md', 'Concepts'],
    ['docs/integrate.md', 'Integrate in 15 minutes'],
  ],
  Guides: [
    ['packages/sdk/README.md', 'The SDK'],
    'docs/decrypting.md',
    'docs/webhooks.md',
    ['docs/webhook-events.md', 'Webhook catalogue'],
    'docs/sign-in.md',
    'docs/second-factor.md',
    'docs/messages.md',
    'docs/sealing.md',
    'docs/flows.md',
    'docs/templates.md',
    'docs/plugins.md',
    'docs/identity-provider.md',
    ['docs/people.md', 'The pages for people'],
    ['docs/portal.md', 'The portal of companies'],
    ['docs/existing-clients.md', 'Earlier programs'],
    ['docs/commands.md', 'Commands'],
    ['packages/cli/README.md', 'The command'],
    ...globSync('examples/*/README.md', { cwd: ROOT }).sort(),
  ],
  'Wire reference': [['docs/wire/README.md', 'How to read it'], ...wire],
  Operating: [
    'docs/deploying.md',
    'docs/operating.md',
    ['docs/upgrades/README.md', 'Upgrades'],
    ...globSync('docs/upgrades/[!R]*.md', { cwd: ROOT })
      .sort()
      .reverse()
      .map((source) => [source, `Upgrade: ${basename(source, '.md')}`] as const),
    'docs/configuration.md',
    'docs/runbook.md',
    'docs/telemetry.md',
    'docs/metrics.md',
    'docs/regions.md',
    ['docs/scale.md', 'Scale'],
    ['docs/benchmarks.md', 'Benchmarks'],
    ['docs/performance.md', 'Performance'],
  ],
  Security: [
    ['SECURITY.md', 'Security model'],
    ['docs/oidc-conformance.md', 'OpenID Connect'],
    ['packages/crypto/README.md', 'Cryptography'],
  ],
  Project: [
    ['CHANGELOG.md', 'Changelog'],
    ['ARCHITECTURE.md', 'Architecture'],
    ['docs/decisions/README.md', 'Decisions'],
    ['CONTRIBUTING.md', 'Contributing'],
    'docs/testing.md',
    'docs/schema.md',
    ['packages/pdf/README.md', 'PDF library'],
    ['packages/flows/README.md', 'Flows library'],
    ['packages/field-types/README.md', 'Field types library'],
  ],
};

/** The sections with their pages. */
export const sections: readonly Section[] = Object.entries(SECTIONS).map(([title, entries]) => ({
  title,
  pages: entries.map((entry) => (typeof entry === 'string' ? written(entry) : written(...entry))),
}));
/** Pages that only others lead to. */
const unlisted: readonly Written[] = decisions.map((source) => written(source));
export const allWritten: readonly Written[] = [...sections.flatMap(({ pages }) => pages), ...unlisted];

function written(source: string, title?: string): Written {
  const text = readFileSync(join(ROOT, source), 'utf8');
  const heading = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? source;
  return { source, slug: slugOf(source), title: title ?? heading, text };
}

function slugOf(source: string): string {
  const path = source
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '.md')
    .replace(/\.md$/, '')
    .toLowerCase();
  // Beside the pages of a folder stands its list.
  return ['wire', 'decisions', 'upgrades'].includes(path) ? `${path}/index` : path;
}
