/** Writes docs/metrics.md, the page of all metrics: `npm run metrics-page`. `npm run check` fails when it is not what this writes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentTable, prometheusName } from '../packages/server/src/core/instrument-table.ts';
import { noArguments } from './usage.ts';

export const METRICS_PAGE = 'docs/metrics.md';

const UNITS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': '' };

/** The page, as it has to be. */
export function metricsPage(): string {
  const rows = Object.entries(instrumentTable).map(([name, row]) => {
    const unit = UNITS[row.unit] ?? `${row.unit.slice(1, -1)}s`;
    const labels = Object.entries<string>(row.labels).map(
      ([label, values]) => `\`${label.replaceAll('.', '_')}\`: ${values}`,
    );
    const shared = 'ofDatabase' in row ? ' ●' : '';
    const kind = unit === '' ? row.kind : `${row.kind}, ${unit}`;
    return `| \`${prometheusName(name, row.kind)}\` | ${kind}${shared} | ${row.help} | ${labels.join('<br>')} |`;
  });
  return `${HEAD}${rows.join('\n')}\n`;
}

const HEAD = `<!-- Made by npm run metrics-page of packages/server/src/core/instrument-table.ts. -->
# Metrics

What \`/metrics\` of the [management port](operating.md#probes) shows, in the text format of Prometheus, and what goes out by
[OpenTelemetry](telemetry.md) under the same names with dots. [\`deploy/prometheus/alerts.yaml\`](../deploy/prometheus/alerts.yaml) has alerts on
them, each with its section in the [runbook](runbook.md); [\`deploy/grafana/dashboard.json\`](../deploy/grafana/dashboard.json) draws them.

Counting begins with the first reading of \`/metrics\`. A series marked ● says the same in every process with the role \`worker\` that shares a database: take the largest
(\`max\`), not the sum. What is read from the database is at most five seconds old and never takes a walk over a large table; while the database is away
these series are missing. No label holds a company, a person, an address or the path of a request.

| series | kind | what | labels |
|---|---|---|---|
`;

if (import.meta.main) {
  noArguments('npm run metrics-page');
  writeFileSync(join(import.meta.dirname, '..', METRICS_PAGE), metricsPage());
}
