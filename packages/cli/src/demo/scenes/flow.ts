import type { DataClient, OpenFlowRun } from '@symbolon/sdk';
import { documentActs } from '@symbolon/sdk/person';
import { textOfPdf, verifyDocument } from '@symbolon/sdk/verify';
import { followChanges } from '../follow-changes.ts';
import type { Narrator } from '../narrator.ts';
import { codeFromOutbox } from '../outbox.ts';
import { type rentalFlow, rentalPackage } from '../rental-flow.ts';
import { expect } from '../same-value.ts';
import type { CompanySide } from './company.ts';
import { sealsOf } from './contract.ts';
import type { Player } from './people.ts';

export type FlowOutcome = {
  flow_id: string;
  run_id: string;
  status: string;
  /** As the company's backend opens them. */
  answers: Readonly<Record<string, string>>;
  signed_by: readonly string[];
  verdict: string;
};

type Scene = {
  company: CompanySide;
  player: Player;
  connectionId: string;
  url: string;
  folder: string;
  buffer: string;
};

/** A flow from its package to the contract that both parties signed. */
export async function makeContract(backend: DataClient, scene: Scene, tell: Narrator): Promise<FlowOutcome> {
  const { company, player, connectionId } = scene;
  const { client: person, script } = player;
  tell.chapter(`A flow makes a contract of what ${script.name} and the company answer in turn`);
  const serviceId = company.service.id;
  const { id: flowId } = await company.account.flows.import(serviceId, await rentalPackage());
  const version = await company.account.flows.publish({ serviceId, flowId });
  tell.fact('Published', `version ${version} of a package: three steps, and a PDF with tags in its text`);
  const changes = followChanges(backend, scene.buffer);
  try {
    const { id: runId } = await backend.flows.start(flowId, { connectionId });
    const waiting = await person.flows.run(runId);
    const done = await person.flows.processRun<typeof rentalFlow>(waiting.run, {
      wish: () => ({ bike: 'cargo', months: 6 }),
      load: () => ({ load: 'two children' }),
    });
    const taken = done.way.slice(0, -1).join(', then ');
    tell.fact('She answers', `${taken}: her device decides the way, and seals each answer for both`);

    const reading = await backend.flows.run(runId);
    tell.fact('Backend reads', Object.values(textsOf(backend, reading)).join(', '));
    const fill = { offer: () => ({ price: 40 }) };
    const made = await backend.flows.processRun<typeof rentalFlow>(reading.run, fill);
    tell.fact('It answers', `the price, and has the document made: ${made.values.get('total')} euros in all`);

    await signBoth(backend, { ...scene, flowId, runId });
    await changes.until(({ event, flowRunId }) => event === 'flow_completed' && flowRunId === runId);
    tell.fact('Both sign', 'she first, as the flow says; then the owner of the company');
    const { bytes } = await backend.flows.documentFile(runId, 'subscription');
    const { verdict, facts } = await verifyDocument(bytes, { platform: await sealsOf(scene.url) });
    const signers = facts?.acts.map(({ name }) => name) ?? [];
    expect(verdict === 'sealed' && signers.length === 2, 'The seal of the contract does not hold.');
    tell.fact('Sealed', `signed by ${signers.join(' and ')}; the platform keeps no copy that it can read`);
    const { status } = (await backend.flows.run(runId)).run;
    return {
      flow_id: flowId,
      run_id: runId,
      status,
      answers: textsOf(backend, made),
      signed_by: signers,
      verdict,
    };
  } finally {
    await changes.stop();
  }
}

function textsOf(backend: DataClient, open: OpenFlowRun): Record<string, string> {
  const answers = Object.entries(backend.flows.answers(open));
  return Object.fromEntries(answers.map(([slug, value]) => [slug, String(value)]));
}

async function signBoth(
  backend: DataClient,
  { company, player, folder, flowId, runId }: Scene & { flowId: string; runId: string },
): Promise<void> {
  const { client: person, script, password } = player;
  const copies = await backend.flows.documents(runId);
  const idOf = (party: string) => copies.find(({ partyKey }) => partyKey === party)?.documentId ?? '';
  const opened = await person.documents.open(idOf('rider'));
  await person.presence.mailCode(documentActs.sign(opened));
  const { code: hers } = await codeFromOutbox(folder, person.person.email);
  const signer = { firstName: script.name, lastName: 'Okafor' };
  const textOf = textOfPdf;
  await person.documents.sign(opened, signer, { password, mailedCode: hers }, { textOf });

  const { bytes } = await backend.flows.documentFile(runId, 'subscription');
  const pdf = new Uint8Array(bytes);
  const ref = { serviceId: company.service.id, flowId, runId, documentId: idOf('shop') };
  const { runDocuments } = company.account;
  await runDocuments.mailCode(await runDocuments.signAct(ref, pdf));
  const { code: mailedCode } = await codeFromOutbox(folder, company.portal.email);
  await runDocuments.sign(ref, pdf, {
    signer: { firstName: 'Hinnerk', lastName: 'Petersen' },
    proof: { password: company.portal.password, mailedCode },
    ...{ open: await backend.flows.run(runId), textOf },
  });
}
