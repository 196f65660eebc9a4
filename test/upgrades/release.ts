import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataClient } from '@symbolon/sdk';
import { PortalClient } from '@symbolon/sdk/portal';
import type { Engine } from '../../packages/server/src/db/database.ts';

/** What there was on a platform of a release when its database was kept. */
export interface Release {
  /** SYMBOLON_SECRET of that platform. */
  readonly secret: string;
  readonly portal: { readonly email: string; readonly password: string };
  readonly client: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly privateKey: { readonly pem: string; readonly passphrase: string };
  };
  /** What the company reads. */
  readonly read: Readable;
}

/** What a company reads with its clients, in an order of its own. */
export interface Readable {
  readonly account: unknown;
  readonly connections: readonly unknown[];
  readonly documents: readonly unknown[];
}

const FOLDER = join(import.meta.dirname, 'releases');

/** The releases whose databases are kept. */
export const releases = readdirSync(FOLDER).sort();

export const fileOf = (release: string, engine: Engine, ending: 'backup.gz' | 'json') =>
  join(FOLDER, release, `${engine}.${ending}`);

export function releaseOf(release: string, engine: Engine): Release {
  return JSON.parse(readFileSync(fileOf(release, engine, 'json'), 'utf8'));
}

/** Reads as the company does: its account, every connection with its opened values, every document. */
export async function readAsCompany(
  url: string,
  { portal, client }: Omit<Release, 'read' | 'secret'>,
): Promise<Readable> {
  const { pem, passphrase } = client.privateKey;
  await using data = new DataClient({ url, ...client, privateKey: { pem, passphrase }, threads: 1 });
  const connections: { displayName: string; values: Record<string, unknown> }[] = [];
  for await (const { displayName, values } of data.connections()) {
    const opened = Object.entries(values).map(([slug, { value, verified, unreadable }]) => [
      slug,
      { value, verified, unreadable },
    ]);
    connections.push({ displayName: String(displayName), values: Object.fromEntries(opened.sort()) });
  }
  const documents: { name: string; kind: string }[] = [];
  for await (const { name, kind } of data.documents.list()) documents.push({ name, kind });
  const session = await PortalClient.signIn({ baseUrl: url, ...portal });
  return JSON.parse(
    JSON.stringify({
      account: await session.account(),
      connections: connections.sort((a, b) => a.displayName.localeCompare(b.displayName)),
      documents: documents.sort((a, b) => a.name.localeCompare(b.name)),
    }),
  );
}
