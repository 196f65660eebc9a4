/**
 * Packages of which the platform reads some files. What is installed has these files alone: with everything in them and everything
 * that they ask for, among it a canvas and a program that reports installations, they take up ten times the room.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifestOf } from './bundle.ts';

const READER = ['legacy/build/pdf.mjs', 'legacy/build/pdf.min.mjs'];
const FILES: Readonly<Record<string, readonly string[]>> = {
  'pdfjs-dist': [...READER, 'legacy/build/pdf.worker{.min,}.mjs', 'cmaps/*', 'standard_fonts/*', 'LICENSE'],
};
export const TRIMMED: readonly string[] = Object.keys(FILES);

/** What the reader of PDF files says wherever it cannot draw. The platform reads with it. */
const ABOUT_DRAWING = [
  /warn\(`Cannot load "@napi-rs\/canvas" package: "\$\{\w+\}"\.`\)/,
  /warn\("Cannot polyfill `DOMMatrix`, rendering may be broken\."\)/,
  /warn\("Cannot polyfill `Path2D`, rendering may be broken\."\)/,
];

/** @param from the `node_modules` with the whole packages @param target the `node_modules` to copy to */
export function copyTrimmed(from: string, target: string): void {
  for (const [name, patterns] of Object.entries(FILES)) {
    const source = join(from, name);
    const to = join(target, name);
    for (const pattern of patterns) {
      const files = globSync(pattern, { cwd: source });
      if (files.length === 0) throw new Error(`${name} has no ${pattern}.`);
      for (const file of files) {
        mkdirSync(dirname(join(to, file)), { recursive: true });
        if (READER.includes(file)) writeFileSync(join(to, file), quiet(join(source, file)));
        else cpSync(join(source, file), join(to, file));
      }
    }
    const { version, license } = manifestOf(source);
    writeFileSync(join(to, 'package.json'), JSON.stringify({ name, version, license }));
  }
}

function quiet(path: string): string {
  return ABOUT_DRAWING.reduce(
    (text, warning) => {
      if (!warning.test(text)) throw new Error(`${path} does not say ${warning.source}.`);
      return text.replace(warning, 'void 0');
    },
    readFileSync(path, 'utf8'),
  );
}
