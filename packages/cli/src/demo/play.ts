import { join } from 'node:path';
import { later } from './cast.ts';
import { type Credentials, leaveBehind } from './leave-behind.ts';
import type { Narrator } from './narrator.ts';
import { type ApprovalOutcome, approveLogin } from './scenes/approving.ts';
import { backendOf, openCompany } from './scenes/company.ts';
import { type ContractOutcome, sendContract, signContract } from './scenes/contract.ts';
import { type HiddenSource, hideSource } from './scenes/descendant.ts';
import { type EditedValue, hearOfEdit } from './scenes/editing.ts';
import { type FlowOutcome, makeContract } from './scenes/flow.ts';
import { liveMonth } from './scenes/month.ts';
import { registerPeople } from './scenes/people.ts';
import { proveAddress } from './scenes/proof.ts';
import { type Journey, readAll, searchDatabase } from './scenes/reading.ts';
import { share } from './scenes/sharing.ts';
import { openSite, type SignInOutcome, signIn } from './scenes/signing-in.ts';
import type { Stage } from './stage.ts';
import { StoredValues } from './stored.ts';

export type Outcome = {
  url: string;
  connections: number;
  values: Journey[];
  edited: EditedValue;
  descendant: HiddenSource;
  signIn: SignInOutcome;
  contract: ContractOutcome;
  flow: FlowOutcome;
  approval: ApprovalOutcome;
  searched: { bytes: number; texts: number; found: number };
  credentials: Credentials;
};

/**
 * The whole story, narrated as it happens. Every act goes through the API with the public SDK; only what is
 * shown as stored is read from the database itself.
 *
 * @param options.withMonth with a month before it, and with what waits for somebody after it: for looking around
 * @throws Problem, or any failure of a step; also when a value that arrives is not the one that was typed
 */
export async function play(
  stage: Stage,
  tell: Narrator,
  { withMonth = false }: { withMonth?: boolean } = {},
): Promise<Outcome> {
  const { url, folder } = stage;
  tell.chapter('A platform starts');
  tell.fact('API', url);
  tell.fact('Database', `embedded, in ${folder}`);

  const company = await openCompany(stage, tell);
  const buffer = join(folder, 'changes.db');
  if (withMonth) await liveMonth(stage, company, buffer);
  const { mira, jonas, aiko } = await registerPeople(stage, tell);
  await proveAddress(mira, folder, tell);
  const connected = await share([mira, jonas, aiko], company, tell);
  const [connectionId = ''] = connected.keys();

  await using backend = backendOf(url, company);
  const stored = new StoredValues(folder);
  const values = await readAll(backend, { company, connected, stored }, tell);
  const searched = searchDatabase({ connected, stored }, values, tell);
  const edited = await hearOfEdit(backend, { company, player: mira, connectionId, stored, buffer }, tell);
  const descendant = await hideSource({ url, company, player: mira, connectionId }, tell);
  const contract = await signContract(backend, { player: mira, url, folder, buffer }, tell);
  const scene = { company, player: mira, connectionId, url, folder, buffer };
  const flow = await makeContract(backend, scene, tell);
  const site = await openSite(url, company);
  const signedIn = await signIn(site, mira, tell);
  const approval = await approveLogin(backend, { company, player: mira, site, folder }, tell);

  await jonas.client.editField(jonas.field(later.field).id, later.value);
  await sendContract(backend, jonas);
  const his = [...connected].find(([, player]) => player === jonas)?.[0];
  if (withMonth && his !== undefined) await backend.flows.start(flow.flow_id, { connectionId: his });
  const credentials = leaveBehind({ url, folder }, company, jonas);
  return {
    ...{ url, connections: connected.size, values, edited, descendant, searched },
    ...{ signIn: signedIn, contract, flow, approval, credentials },
  };
}
