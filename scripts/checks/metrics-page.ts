import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS_PAGE, metricsPage } from '../metrics-page.ts';

/** Checks that the page about metrics is what the table of instruments makes. */
export function metricsPageDrift(root: string): string[] {
  const file = join(root, METRICS_PAGE);
  if (existsSync(file) && readFileSync(file, 'utf8') === metricsPage()) return [];
  return [`${METRICS_PAGE}: not what the table of instruments makes; npm run metrics-page writes it`];
}
