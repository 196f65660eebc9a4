import { explain } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { type Check, type Finding, failed } from './check.ts';
import { clientChecks, isClientMeant } from './client-checks.ts';
import { nodeCheck, serverChecks } from './server-checks.ts';

/**
 * Runs every check in turn, a line each as it comes; the exit code is 1 when one failed. A developer of a client is
 * not shown the settings of a server, and an operator not of clients, unless both are asked for.
 */
export async function examine(options: {
  config?: string;
  url?: string;
  service?: string;
  server?: boolean;
  json?: boolean;
}): Promise<void> {
  const paint = createPaint(process.stdout);
  const isClient = isClientMeant(options);
  const client = clientChecks(options);
  const findings: (Finding & { name: string })[] = [];
  try {
    const checks = [
      nodeCheck,
      ...(options.server || !isClient ? serverChecks(process.env) : []),
      ...(isClient ? client.checks : []),
    ];
    for (const { name, run } of checks) {
      const finding = await settled(run);
      findings.push({ name, ...finding });
      if (!options.json) await writeLine(lineOf(name, finding, paint));
    }
  } finally {
    await client.close();
  }
  const failures = findings.filter(({ status }) => status === 'failed').length;
  if (!options.json && !isClient) await writeLine(paint.dim(NO_CLIENT));
  if (options.json) await writeLine(jsonLine({ ok: failures === 0, checks: findings }));
  else
    await writeLine(failures === 0 ? paint.good('\nAll is well.') : paint.bad(`\n${failures} to put right.`));
  if (failures > 0) process.exitCode = 1;
}

/** A check that throws has failed in a way it did not foresee. */
async function settled(run: Check['run']): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    return failed(explain(error).text, 'SYMBOLON_DEBUG=1 shows more.');
  }
}

function lineOf(name: string, finding: Finding, paint: Paint): string {
  const detail = printable(finding.detail);
  switch (finding.status) {
    case 'ok':
      return `${paint.good('✓')} ${pad(name, WIDTH)}  ${paint.dim(detail)}`;
    case 'skipped':
      return paint.dim(`– ${pad(name, WIDTH)}  ${detail}`);
    case 'failed':
      return `${paint.bad('✗')} ${pad(paint.bold(name), WIDTH)}  ${detail}\n  ${pad('', WIDTH)}  → ${printable(finding.todo)}`;
  }
}

const WIDTH = 15;
const NO_CLIENT = '\nThese were the checks of a server. --config FILE checks a client, --url URL a platform.';
