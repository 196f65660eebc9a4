import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, ROOT } from './blocks.ts';

/** What parts of programs take for granted. */
const GIVEN: Readonly<Record<string, string>> = {
  portal: "import('@symbolon/sdk/portal').PortalClient",
  ada: "import('@symbolon/sdk/portal').PortalClient",
  signal: 'AbortSignal',
  sheAgrees: '(context: string | null) => Promise<boolean>',
  sheReadTheSame: '() => Promise<boolean>',
  theCompanyReadsTheSame: '(words: string) => Promise<boolean>',
  person: "import('@symbolon/sdk/person').PersonClient",
  fingerprint: "typeof import('@symbolon/crypto').fingerprint",
  DataClient: "typeof import('@symbolon/sdk').DataClient",
  PortalClient: "typeof import('@symbolon/sdk/portal').PortalClient",
  receiver: "import('@symbolon/sdk/webhooks').WebhookReceiver",
  fastifyPlugin: "typeof import('@symbolon/sdk/webhooks').fastifyPlugin",
  expressHandler: "typeof import('@symbolon/sdk/webhooks').expressHandler",
  createHmac: "typeof import('node:crypto').createHmac",
  timingSafeEqual: "typeof import('node:crypto').timingSafeEqual",
  writeFile: "typeof import('node:fs/promises').writeFile",
  app: '{ register(plugin: unknown, options: object): Promise<void>; post(path: string, handler: unknown): void }',
  headers: 'Record<string, string | undefined>',
  body: 'Buffer<ArrayBuffer>',
  pkcs8: 'Uint8Array',
  askForCode: '() => Promise<string>',
  ...Object.fromEntries(
    [
      'baseUrl',
      'email',
      'password',
      'newPassword',
      'hers',
      'token',
      'code',
      'secret',
      'passphrase',
      'appPublicKey',
      'clientId',
      'ownPublicKey',
      'personId',
      'wrapperJson',
    ].map((name) => [name, 'string']),
  ),
};

/** Compiles every block `compiled` of the pages, each as a module. @throws with what the compiler says */
export function compileParts(pages: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-docs-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'parts'));
    const parts = pages.flatMap((page) =>
      blocksOf(page)
        .filter(({ kind }) => kind === 'compiled')
        .map((block) => ({ page, ...block })),
    );
    for (const { page, line, text } of parts) {
      const name = `${page.replace(/[^A-Za-z]+/g, '-')}-line-${line}.ts`;
      writeFileSync(join(folder, 'parts', name), moduleOf(text));
    }
    const options = {
      ...{
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        types: ['node'],
      },
      ...{ module: 'nodenext', target: 'es2024', lib: ['esnext', 'dom'] },
    };
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['parts'] }),
    );
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--project', folder, '--singleThreaded'];
    execFileSync(process.execPath, [compiler, ...flags], { cwd: folder, encoding: 'utf8' });
    return parts.length;
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout || String(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The part as a module, with what it takes for granted declared before it. A part of a function becomes one. */
function moduleOf(text: string): string {
  const isDeclared = (name: string) =>
    new RegExp(`(?:const|let) (?:\\{[^}]*)?\\b${name}\\b|import \\{[^}]*\\b${name}\\b`).test(text);
  const isUsed = (name: string) => new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(text);
  const given = Object.entries(GIVEN).filter(([name]) => isUsed(name) && !isDeclared(name));
  const declarations = given.map(([name, type]) => `declare const ${name}: ${type};`);
  const isModule = /^export /m.test(text);
  const isInFunction = !isModule && /^\s*(?:if .*)?return /m.test(text);
  const content = isInFunction
    ? `export async function part(): Promise<unknown> {\n${text}\nreturn undefined;\n}`
    : text;
  return `${declarations.join('\n')}\n${content}\nexport {};\n`;
}
