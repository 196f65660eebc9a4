import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, serve } from '@symbolon/server';

const folder = mkdtempSync(join(import.meta.dirname, 'data-'));
const platform = await serve(
  readConfig({ SYMBOLON_DATA_DIR: folder, SYMBOLON_PORT: '0', SYMBOLON_LOG_LEVEL: 'silent' }),
);
const { status } = await fetch(`${platform.url}/api/health`);
await platform.stop();
rmSync(folder, { recursive: true });
console.log(status);
