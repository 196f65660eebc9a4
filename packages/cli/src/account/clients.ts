import { existsSync } from 'node:fs';
import type { AccountClientWithSecret, Capability } from '@symbolon/protocol';
import { writePrivate } from '../keys/files.ts';
import { Problem } from '../problem.ts';
import { enterAccount } from '../profile/enter-portal.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';

type Common = { profile?: string; json?: boolean };

export async function listClients(options: Common): Promise<void> {
  const { client } = await enterAccount(options);
  const clients = await client.accountClients();
  const paint = createPaint(process.stdout);
  if (clients.length === 0 && !options.json) return writeLine(paint.dim('There is no account client yet.'));
  const width = Math.max(0, ...clients.map(({ name }) => printable(name).length));
  for (const entry of clients) {
    const { client_id, name, purpose, capabilities } = entry;
    const granted = capabilities.join(', ') || 'baseline only';
    const told = purpose === null ? '' : paint.dim(`  ${printable(purpose)}`);
    await writeLine(
      options.json
        ? jsonLine(entry)
        : `${paint.name(printable(client_id))}  ${paint.bold(pad(printable(name), width))}  ${printable(granted)}${told}`,
    );
  }
}

export async function createClient(
  options: Common & { name: string; capability?: Capability[]; purpose?: string; out?: string },
): Promise<void> {
  const { name, capability: capabilities = [], purpose, out } = options;
  refuseTaken(out);
  const { client, profile } = await enterAccount(options);
  const made = await client.createAccountClient({
    name,
    capabilities,
    ...(purpose !== undefined && { purpose }),
  });
  await handOver(made, profile.base_url, options);
}

export async function regrantClient(clientId: string, groups: string[], options: Common): Promise<void> {
  const { client } = await enterAccount(options);
  const granted = await client.grantCapabilities(clientId, groups as Capability[]);
  const { client_id, capabilities } = granted;
  await writeLine(
    options.json
      ? jsonLine(granted)
      : `${printable(client_id)} has ${capabilities.join(', ') || 'the baseline only'}.`,
  );
}

export async function regenerateClient(clientId: string, options: Common & { out?: string }): Promise<void> {
  refuseTaken(options.out);
  const { client, profile } = await enterAccount(options);
  await handOver(await client.regenerateAccountClientSecret(clientId), profile.base_url, options);
}

export async function deleteClient(clientId: string, options: Common): Promise<void> {
  const { client } = await enterAccount(options);
  await client.deleteAccountClient(clientId);
  await writeLine(
    options.json
      ? jsonLine({ client_id: clientId, deleted: true })
      : `${printable(clientId)} is gone, and its tokens with it.`,
  );
}

/** Shows a secret, or writes it where only its owner reads it. */
async function handOver(
  client: AccountClientWithSecret,
  baseUrl: string,
  { out, json }: { out?: string; json?: boolean },
): Promise<void> {
  const { client_secret, ...shown } = client;
  if (out !== undefined) {
    const credentials = { base_url: baseUrl, client_id: client.client_id, client_secret };
    writePrivate(out, `${JSON.stringify(credentials, null, 2)}\n`);
  }
  if (json) return writeLine(jsonLine(out === undefined ? client : { ...shown, file: out }));
  const { bold, dim, name } = createPaint(process.stdout);
  await writeLine(`${bold('Client')}        ${name(printable(client.client_id))}  ${printable(client.name)}`);
  await writeLine(`${bold('Capabilities')}  ${client.capabilities.join(', ') || 'baseline only'}`);
  await writeLine(
    out === undefined
      ? `${bold('Secret')}        ${printable(client_secret)}  ${dim('shown this once')}`
      : `${bold('Credentials')}   ${out}  ${dim('the secret is shown nowhere else')}`,
  );
}

/** Found out before a secret is made that has nowhere to go. */
function refuseTaken(file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return;
  throw new Problem(`${file} is there already. Move it away or choose another --out.`);
}
