/**
 * Checks everything but what tests show: `npm run check`. With `--quick` it checks what differs from the main branch alone, for the
 * minutes between two commits.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { changedFiles } from './checks/project-files.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const ROOT = join(import.meta.dirname, '..');

const whole: readonly Step[] = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types of the pages', command: ['tsc', '--noEmit', '-p', 'apps/web'] },
  { name: 'documents', command: ['node', 'scripts/check-docs.ts'] },
];

const CODE = /\.(?:ts|tsx|mjs|js|json|css|html)$/;
const TYPED = /\.tsx?$|(?:^|\/)(?:tsconfig|package)\.json$/;
/** The pages and the packages that they are made of. */
const OF_PAGES = /^(?:apps\/web|packages\/(?:crypto|field-types|flows|pdf|protocol|sdk))\//;

/** The steps that a change of some files asks for. The rule left out looks at all files, to find imports that the types find as well. */
export function quickSteps(changed: readonly string[]): readonly Step[] {
  const code = changed.filter((file) => CODE.test(file) && existsSync(`${ROOT}/${file}`));
  const typed = changed.filter((file) => TYPED.test(file));
  const steps: (Step & { readonly concerned: readonly string[] })[] = [
    {
      name: 'format',
      command: ['biome', 'check', '--linter-enabled=false', '--no-errors-on-unmatched', ...code],
      concerned: code,
    },
    {
      name: 'lint',
      command: [
        'biome',
        'lint',
        '--skip=correctness/useImportExtensions',
        '--no-errors-on-unmatched',
        ...code,
      ],
      concerned: code,
    },
    { name: 'types', command: ['tsc', '--noEmit'], concerned: typed },
    {
      name: 'types of the pages',
      command: ['tsc', '--noEmit', '-p', 'apps/web'],
      concerned: typed.filter((file) => OF_PAGES.test(file)),
    },
    { name: 'documents', command: ['node', 'scripts/check-docs.ts', ...changed], concerned: changed },
  ];
  return steps.filter(({ concerned }) => concerned.length > 0);
}

/** @returns whether all is well; what a step says is shown when it ends. */
async function run({ name, command: [program = '', ...args] }: Step): Promise<boolean> {
  const started = performance.now();
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const cache = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') };
  const child = spawn(program, args, {
    env: { ...cache, ...colours, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}, ${seconds} s`);
  if (code !== 0) process.stdout.write(`${said}${complained}`);
  return code === 0;
}

if (import.meta.main) {
  const [flag, ...others] = process.argv.slice(2);
  if ((flag !== undefined && flag !== '--quick') || others.length > 0) {
    console.error('Usage: npm run check [-- --quick]');
    process.exit(2);
  }
  const steps = flag === '--quick' ? quickSteps(changedFiles(ROOT)) : whole;
  const results = await Promise.all(steps.map(run));
  if (results.includes(false)) process.exitCode = 1;
}
