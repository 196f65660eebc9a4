import type { SealCertificateList } from '@symbolon/protocol';
import type { DataClient } from '@symbolon/sdk';
import { documentActs } from '@symbolon/sdk/person';
import { verifyDocument } from '@symbolon/sdk/verify';
import { contractPdf } from '../contract-pdf.ts';
import { followChanges } from '../follow-changes.ts';
import type { Narrator } from '../narrator.ts';
import { codeFromOutbox } from '../outbox.ts';
import { expect } from '../same-value.ts';
import type { Player } from './people.ts';

export type ContractOutcome = {
  id: string;
  status: string;
  signed_by: string;
  method: string | null;
  sealed_sha256: string | null;
  verdict: string;
};

/** The company sends a contract, the person signs it, and both hold the same sealed file. */
export async function signContract(
  backend: DataClient,
  scene: { player: Player; url: string; folder: string; buffer: string },
  tell: Narrator,
): Promise<ContractOutcome> {
  const { player, url, folder } = scene;
  const { client, script, password } = player;
  tell.chapter(`${script.name} signs a contract`);
  const changes = followChanges(backend, scene.buffer);
  try {
    const id = await sendContract(backend, player);
    tell.fact('Company sends', 'rental.pdf, sealed to her key before it leaves the company');
    const opened = await client.documents.open(id);
    tell.fact('She reads it', `SHA-256 ${opened.content.sha256}`);
    await client.presence.mailCode(documentActs.sign(opened));
    const { code: mailedCode } = await codeFromOutbox(folder, client.person.email);
    const signer = { firstName: script.name, lastName: 'Okafor' };
    const signed = await client.documents.sign(opened, signer, { password, mailedCode });
    tell.fact('She signs', 'with her password and a code that was mailed for this contract');
    const change = await changes.until(
      ({ event, documentId }) => event === 'document_status_changed' && documentId === id,
    );
    tell.fact('Company hears', `${change.event}: ${change.status}`);
    const [hers, companys] = [await client.documents.open(id), await backend.documents.sealedFile(id)];
    const isSame =
      hers.content.kind === 'file' && Buffer.from(hers.content.file.bytes).equals(companys.bytes);
    expect(isSame, 'The parties hold different files.');
    const { verdict, originalIntact } = await verifyDocument(companys.bytes, {
      platform: await sealsOf(url),
    });
    expect(verdict === 'sealed' && originalIntact !== false, 'The seal of the contract does not hold.');
    tell.fact('Sealed', `both hold the same file, and its seal holds: SHA-256 ${signed.sealed_sha256}`);
    return {
      id,
      status: signed.status,
      signed_by: `${signer.firstName} ${signer.lastName}`,
      method: signed.signatures[0]?.method ?? null,
      sealed_sha256: signed.sealed_sha256,
      verdict,
    };
  } finally {
    await changes.stop();
  }
}

/** Sends a contract that is to be signed; gives its id. */
export async function sendContract(backend: DataClient, { client }: Player): Promise<string> {
  const bytes = contractPdf(['Bike rental', 'One city bike, from April to October, 15 euros a month.']);
  const { id } = await backend.documents.create({
    name: 'Bike rental',
    kind: 'agreement',
    to: { userId: client.person.person_user_id },
    requiresSignature: true,
    content: { file: { name: 'rental.pdf', mimeType: 'application/pdf', bytes } },
  });
  return id;
}

/** The certificates that the platform publishes. A verifier compares them with certificates that it got by another way. */
export async function sealsOf(url: string): Promise<SealCertificateList> {
  return (await (await fetch(`${url}/api/seal/certificates`)).json()) as SealCertificateList;
}
