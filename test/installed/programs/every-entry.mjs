// Loads every entry point, by import and by require.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
for (const name of process.argv.slice(2)) {
  const imported = Object.keys(await import(name)).filter((key) => key !== 'module.exports');
  const required = Object.keys(require(name)).filter((key) => key !== '__esModule');
  if (imported.length === 0 || imported.join() !== required.join()) throw new Error(`${name} differs`);
}
console.log('loaded');
