import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentTable, prometheusName } from '../../packages/server/src/core/instrument-table.ts';

const ALERTS = 'deploy/prometheus/alerts.yaml';
const DASHBOARD = 'deploy/grafana/dashboard.json';
const RUNBOOK = 'docs/runbook.md';
/** Of Prometheus itself. */
const FOREIGN = new Set(['up']);

/** Checks that alerts and the dashboard use series that there are, and that each alert has its section in the runbook, and each section an alert. */
export function alerts(root: string): string[] {
  const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
  const rules = read(ALERTS);
  const sections = [...read(RUNBOOK).matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
  const named = [...rules.matchAll(/- alert: (\w+)\n(?:(?! {6}- alert).*\n)*?.* runbook: (\S+)/g)];
  const expressions = [
    ...[...rules.matchAll(/^\s+expr: (.*)$/gm)].map(([, text = '']) => [ALERTS, text] as const),
    ...[...read(DASHBOARD).matchAll(/"expr": "(.*)",?$/gm)].map(
      ([, text = '']) => [DASHBOARD, text] as const,
    ),
  ];
  return [
    ...expressions.flatMap(([file, text]) =>
      unknownSeries(text).map((name) => `${file}: there is no ${name}`),
    ),
    ...named
      .filter(
        ([, name = '', link]) => link !== `${RUNBOOK}#${name.toLowerCase()}` || !sections.includes(name),
      )
      .map(([, name]) => `${ALERTS}: ${name} has no section in ${RUNBOOK}, or does not link to it`),
    ...sections
      .filter((name) => !named.some(([, alert]) => alert === name))
      .map((name) => `${RUNBOOK}: ${name} is no alert of ${ALERTS}`),
    ...([...rules.matchAll(/- alert: /g)].length === named.length
      ? []
      : [`${ALERTS}: an alert has no runbook`]),
  ];
}

/** The names of series in an expression that no instrument has. */
export function unknownSeries(expression: string): string[] {
  const known = new Set<string>(FOREIGN);
  for (const [name, { kind }] of Object.entries(instrumentTable)) {
    const series = prometheusName(name, kind);
    for (const one of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      known.add(`${series}${one}`);
  }
  // Without labels, what they are compared with, and the words of the language.
  const bare = expression
    .replace(/\\"/g, '"')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|without) *\([^)]*\)/g, '');
  const names = bare.match(/\b[a-z_]+\b(?! *\()/g) ?? [];
  return names.filter((name) => !['or', 'and', 'by'].includes(name) && !known.has(name));
}
