import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AccountClient, type CompanyClient } from '@symbolon/sdk/account';
import { writePrivate } from '../keys/files.ts';
import { Problem } from '../problem.ts';
import { enterAccount } from '../profile/enter-portal.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';

type Common = { profile?: string; json?: boolean };

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
  const files = {
    private_key_file: join(options.out, 'service-key.pem'),
    passphrase_file: join(options.out, 'passphrase.txt'),
  };
  const taken = Object.values(files).find((file) => existsSync(file));
  if (taken !== undefined) {
    throw new Problem(
      `${taken} is there already, and it may be the only copy of a key. Choose another --out.`,
    );
  }
  const client = await enterCompany(options);
  const { service, passphrase, pem } = await client.createService(options);
  writePrivate(files.private_key_file, pem);
  writePrivate(files.passphrase_file, `${passphrase}\n`);
  if (options.json) return writeLine(jsonLine({ ...service, ...files }));
  const { bold, dim, name } = createPaint(process.stdout);
  const code = `${service.company_code}/${service.share_code}`;
  await writeLine(`${bold('Service')}      ${name(code)}  ${printable(service.name)}  ${dim(service.id)}`);
  await writeLine(`${bold('Private key')}  ${files.private_key_file}  ${dim('encrypted; OpenSSL opens it')}`);
  await writeLine(`${bold('Passphrase')}   ${files.passphrase_file}  ${dim('move it to a safe place')}`);
}

/** The account client that the environment names; else the portal login. */
async function enterCompany(options: Common): Promise<CompanyClient> {
  const { SYMBOLON_ACCOUNT_CLIENT_ID: id, SYMBOLON_ACCOUNT_CLIENT_SECRET: secret } = process.env;
  if ((id || secret) && options.profile === undefined) return AccountClient.fromEnvironment();
  return (await enterAccount(options)).client;
}

const PAGE = 500;
