import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const WORKER = '@symbolon/sdk/symbolon-decrypt-worker';

/**
 * Bundlers of servers, each as its users write it: a program, and the file of its threads beside it. They bundle into the given
 * folder, as `program.js` and `symbolon-decrypt-worker.js`.
 */
export const SERVER_BUNDLERS: Readonly<Record<string, (bundling: Bundling) => Promise<void>>> = {
  async esbuild({ tools, project, program, folder }) {
    // It names a file after the one that it comes from.
    writeFileSync(join(project, 'program.mjs'), `import './${program}';`);
    const flags = [
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--entry-names=[name]',
      '--log-level=error',
    ];
    const entries = ['program.mjs', WORKER];
    execFileSync(join(tools, 'esbuild/bin/esbuild'), [...entries, ...flags, `--outdir=${folder}`], {
      cwd: project,
    });
  },
  async Rollup({ tools, project, program, folder }) {
    const { rollup } = await import(join(tools, 'rollup/dist/es/rollup.js'));
    const { nodeResolve } = await import(join(tools, '@rollup/plugin-node-resolve/dist/es/index.js'));
    const plugins = [nodeResolve({ rootDir: project, exportConditions: ['node'] })];
    const input = { program: join(project, program), 'symbolon-decrypt-worker': WORKER };
    const bundle = await rollup({ input, plugins, external: /^node:/, onwarn: () => undefined });
    await bundle.write({ dir: folder, format: 'es' });
    await bundle.close();
  },
  async Vite({ tools, project, program, folder }) {
    const vite = await import(join(tools, 'vite/dist/node/index.js'));
    await vite.build({
      root: project,
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: folder,
        assetsDir: '',
        rolldownOptions: {
          input: { program: join(project, program), 'symbolon-decrypt-worker': WORKER },
          output: { entryFileNames: '[name].js' },
        },
      },
    });
  },
  async webpack({ tools, project, program, folder }) {
    const { default: webpack } = await import(join(tools, 'webpack/lib/index.js'));
    const compiler = webpack({
      mode: 'production',
      target: 'node20',
      context: project,
      entry: { program: `./${program}`, 'symbolon-decrypt-worker': WORKER },
      experiments: { outputModule: true },
      output: { path: folder, filename: '[name].js', module: true, chunkFormat: 'module' },
      module: { parser: { javascript: { url: false } } },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    const { errors } = stats.toJson({ all: false, errors: true });
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  },
};

export interface Bundling {
  /** The `node_modules` with the bundlers. */
  readonly tools: string;
  readonly project: string;
  /** A file of the project. */
  readonly program: string;
  readonly folder: string;
}

/** @returns the folder with the bundle */
export async function bundleServer(name: string, bundling: Omit<Bundling, 'folder'>): Promise<string> {
  const folder = join(bundling.project, `threads-${name}`);
  await SERVER_BUNDLERS[name]?.({ ...bundling, folder });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}
