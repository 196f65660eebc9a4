import type { TestPerson, TestService } from '@symbolon/testkit/actors/actors';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import type { Sql } from './sql.ts';

/** What the platform keeps of a passkey. */
export interface StoredPasskey {
  readonly id: string;
  /** COSE, base64url. */
  readonly key: string;
}

/** A device with one passkey for the pages of a platform. */
export function makePasskey(url: string): { authenticator: SoftwareAuthenticator; stored: StoredPasskey } {
  const authenticator = SoftwareAuthenticator.for({ url });
  const rp = { id: 'localhost' };
  const { id, response } = authenticator.create({ challenge: 'x', rp, user: { id: 'dXNlcg' } });
  // The key is the last member of what the authenticator attests.
  const key = Buffer.from(response.attestationObject, 'base64url').subarray(-77);
  return { authenticator, stored: { id, key: key.toString('base64url') } };
}

/** Without the handle of the user, which is the platform's own. */
export function proofOf(authenticator: SoftwareAuthenticator, options: { nonce: string }): object {
  const proof = authenticator.proof(options);
  const { userHandle: _, ...response } = proof.credential.response;
  return { ...proof, credential: { ...proof.credential, response } };
}

/** Writes enrolments and passkeys past the API: what they cost is not measured. @returns the enrolments */
export async function enrol(
  sql: Sql,
  service: TestService,
  people: readonly Pick<TestPerson, 'id'>[],
  passkeys: readonly StoredPasskey[],
): Promise<string[]> {
  const enrolments: string[] = [];
  for (const [index, { id }] of people.entries()) {
    const enrolment = crypto.randomUUID();
    enrolments.push(enrolment);
    const passkey = passkeys[index];
    await sql.run(
      `insert into two_factor_enrolments (company_id, id, service_id, person_id, muted, denials, created_at)
       values ('${service.company.id}', '${enrolment}', '${service.id}', '${id}', 0, 0, 0)`,
    );
    await sql.run(
      `insert into person_passkeys (person_id, id, credential_id, public_key, counter, transports, name, backup_eligible, backed_up, created_at)
       values ('${id}', '${crypto.randomUUID()}', '${passkey?.id}', '${passkey?.key}', 0, '[]', 'bench', 0, 0, 0)`,
    );
  }
  return enrolments;
}
