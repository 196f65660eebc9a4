import { join } from 'node:path';
import { writePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { findCaller, type SignInOptions } from '../profile/caller.ts';
import { askYes } from '../resources/confirm.ts';
import { COMPANY } from '../resources/table/callers.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { Owned } from './owned.ts';
import type { Line, Plan } from './parts.ts';
import { planOf } from './plan.ts';
import { Present } from './present.ts';
import { readCompanyFile } from './shape.ts';

export type FileOptions = SignInOptions & { file: string; owned?: string; prune?: boolean; json?: boolean };
export type ApplyOptions = FileOptions & { secrets?: string; yes?: boolean; dryRun?: boolean };

/** Says what a file would change. The exit code is 2 when that is something. */
export async function diffFile(options: FileOptions): Promise<void> {
  const { plan } = await compare(options);
  await showPlan(plan, options);
  if (plan.acts.length > 0) process.exitCode = 2;
}

/** Makes a company as a file says. What is not in the file stays, but for what it owned, with `--prune`. */
export async function applyFile(options: ApplyOptions): Promise<void> {
  const { plan, owned, caller, present } = await compare(options);
  await showPlan(plan, options);
  if (options.dryRun) return;
  const deletes = plan.acts.some(({ lines }) => lines.some(({ sign }) => sign === '-'));
  if (plan.acts.some(({ makesSecret }) => makesSecret) && options.secrets === undefined) {
    const text = 'This makes keys or secrets. Name a folder for them with --secrets.';
    throw new Problem(text, { exitCode: 2 });
  }
  if (deletes && !options.yes) {
    if (options.file === '-')
      throw new Problem('This deletes something. Give --yes for that.', { exitCode: 2 });
    await askYes('This deletes something.');
  }
  owned.change({ add: plan.same });
  const paint = createPaint(process.stderr);
  const acting = {
    api: present.api,
    company: () => caller.openCompany(),
    owned,
    keep: (name: string, text: string) => writePrivate(join(options.secrets ?? '.', name), text),
  };
  for (const { lines, run } of plan.acts) {
    await run(acting);
    if (!options.json)
      for (const { what } of lines) process.stderr.write(`${paint.good('✓')} ${printable(what)}\n`);
  }
}

async function compare({ file, owned: record, prune, ...signIn }: FileOptions) {
  const wanted = await readCompanyFile(file);
  if (file === '-' && record === undefined && prune) {
    throw new Problem('Name the record of what the file owns with --owned.', { exitCode: 2 });
  }
  const caller = await findCaller(signIn, COMPANY);
  const present = new Present(await caller.open());
  const code = await present.companyCode();
  const meant = wanted.file.company;
  if (meant !== undefined && meant !== code) {
    throw new Problem(
      `${file} is of the company ${meant}, and the sign-in of ${caller.from} is of ${code}.`,
      {
        exitCode: 2,
      },
    );
  }
  const owned = Owned.read(record ?? (file === '-' ? 'company.owned.json' : `${file}.owned.json`), code);
  return { plan: await planOf(wanted, { present, owned, prune: prune ?? false }), owned, caller, present };
}

async function showPlan({ acts, left }: Plan, { json }: FileOptions): Promise<void> {
  const lines = acts.flatMap((act) => act.lines);
  if (json) {
    for (const { sign, what, how } of lines) await writeLine(jsonLine({ act: ACTS[sign], what, how }));
    for (const what of left) await writeLine(jsonLine({ act: 'left', what, how: [] }));
    return;
  }
  const paint = createPaint(process.stdout);
  for (const line of lines) {
    await writeLine(`${coloured(line.sign, paint)} ${printable(line.what)}`);
    for (const how of line.how) await writeLine(`    ${paint.dim(printable(how))}`);
  }
  for (const what of left) {
    await writeLine(paint.dim(`  ${printable(what)} is not in the file any more; --prune deletes it`));
  }
  const count = (sign: Line['sign']) => lines.filter((line) => line.sign === sign).length;
  await writeLine(
    lines.length === 0
      ? 'Nothing is to change.'
      : `${count('+')} to create, ${count('~')} to change, ${count('-')} to delete.`,
  );
}

function coloured(sign: Line['sign'], paint: ReturnType<typeof createPaint>): string {
  return sign === '+' ? paint.good(sign) : sign === '-' ? paint.bad(sign) : paint.name(sign);
}

const ACTS = { '+': 'create', '~': 'change', '-': 'delete' } as const;
