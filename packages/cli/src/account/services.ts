import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '@symbolon/protocol';
import { writePrivate } from '../keys/files.ts';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { type Common, enterCompany } from './enter-company.ts';
import { waitForJobs } from './service-jobs.ts';

export async function listServices(options: Common): Promise<void> {
  const client = await enterCompany(options);
  const paint = createPaint(process.stdout);
  let count = 0;
  for (;;) {
    const { total, items } = await client.services({ limit: PAGE, offset: count });
    for (const service of items) {
      const { id, name, share_code, company_code, connection_count } = service;
      await writeLine(
        options.json
          ? jsonLine(service)
          : `${paint.name(pad(`${company_code}/${share_code}`, 15))}  ${paint.bold(printable(name))}  ${paint.dim(`${connection_count} connected  ${id}`)}`,
      );
    }
    count += items.length;
    if (items.length === 0 || count >= total) break;
  }
  if (count === 0 && !options.json) await writeLine(paint.dim('There is no service yet.'));
}

/** The key is made here; the platform gets it encrypted, and the passphrase sealed to the recovery key. */
export async function createService(
  options: Common & { name: string; adminEmail: string; out: string },
): Promise<void> {
  const files = keyFiles(options.out);
  const client = await enterCompany(options);
  const { service, passphrase, pem } = await client.createService(options);
  await showKey(options, service, { ...files, passphrase, pem });
}

/** The new key is made here, as that of a new service. Companies that are customers are told by a job. */
export async function replaceKey(
  id: string,
  options: Common & { out: string; wait: boolean },
): Promise<void> {
  const files = keyFiles(options.out);
  const client = await enterCompany(options);
  const { service, passphrase, pem } = await client.replaceServiceKey(id);
  await showKey(options, service, { ...files, passphrase, pem });
  if (options.wait) await waitForJobs(client, id);
}

/** The service is gone at once; a job ends its connections. */
export async function deleteService(
  id: string,
  options: Common & { confirm?: boolean; wait: boolean },
): Promise<void> {
  const client = await enterCompany(options);
  await client.deleteService(id, { confirm: options.confirm ?? false });
  if (options.wait) await waitForJobs(client, id);
  await writeLine(options.json ? jsonLine({ id, deleted: true }) : `${printable(id)} is deleted.`);
}

/** @throws Problem when there are keys already */
function keyFiles(out: string) {
  const files = {
    private_key_file: join(out, 'service-key.pem'),
    passphrase_file: join(out, 'passphrase.txt'),
  };
  const taken = Object.values(files).find((file) => existsSync(file));
  if (taken !== undefined) {
    throw new Problem(
      `${taken} is there already, and it may be the only copy of a key. Choose another --out.`,
    );
  }
  return files;
}

/** Keeps a key in files, and says where it is. */
async function showKey(
  options: Common,
  service: Service,
  key: ReturnType<typeof keyFiles> & { passphrase: string; pem: string },
): Promise<void> {
  const { passphrase, pem, ...files } = key;
  writePrivate(files.private_key_file, pem);
  writePrivate(files.passphrase_file, `${passphrase}\n`);
  if (options.json) return writeLine(jsonLine({ ...service, ...files }));
  const { bold, dim, name } = createPaint(process.stdout);
  const code = `${service.company_code}/${service.share_code}`;
  await writeLine(`${bold('Service')}      ${name(code)}  ${printable(service.name)}  ${dim(service.id)}`);
  await writeLine(`${bold('Private key')}  ${files.private_key_file}  ${dim('encrypted; OpenSSL opens it')}`);
  await writeLine(`${bold('Passphrase')}   ${files.passphrase_file}  ${dim('move it to a safe place')}`);
}

const PAGE = 500;
