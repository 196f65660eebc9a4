import { explain } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { type Check, type Finding, failed } from './check.ts';
import { clientChecks } from './client-checks.ts';
import { machineChecks } from './machine-checks.ts';

/** Runs every check in turn, a line each as it comes; the exit code is 1 when one failed. */
export async function examine(options: {
  config?: string;
  url?: string;
  service?: string;
  json?: boolean;
}): Promise<void> {
  const paint = createPaint(process.stdout);
  const client = clientChecks(options);
  const findings: (Finding & { name: string })[] = [];
  try {
    for (const { name, run } of [...machineChecks(process.env), ...client.checks]) {
      const finding = await settled(run);
      findings.push({ name, ...finding });
      if (!options.json) await writeLine(lineOf(name, finding, paint));
    }
  } finally {
    await client.close();
  }
  const failures = findings.filter(({ status }) => status === 'failed').length;
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
