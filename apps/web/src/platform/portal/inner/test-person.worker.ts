import { encodeHex } from '@symbolon/crypto';
import { PersonClient, type Runtime } from '@symbolon/sdk/person';
import { liveRows, SandboxCustomer, type SandboxService } from '@symbolon/sdk/sandbox';
import { serve } from '../../inner/worker-side.ts';

/** A person for tests who is a customer now, with what signs in as them. */
export interface TestPerson {
  readonly email: string;
  readonly password: string;
  readonly connectionId: string;
  /** What the service asks and no example was given for. */
  readonly unanswered: readonly string[];
  /** Whether some answer is live. */
  readonly canChange: boolean;
}

/** The question whose answer is another one now, and that answer. */
export interface ChangedAnswer {
  readonly label: string;
  readonly value: string;
}

/** Who was made here. The key and the token are nowhere else, and go with this worker. */
let made: { readonly customer: SandboxCustomer; readonly connectionId: string } | undefined;

/** Takes no cookie along and keeps none: whoever is signed in with this browser stays so, and is not asked. */
const apart: Runtime['fetch'] = (url, { onProgress: _, ...init }) =>
  fetch(url, { ...init, credentials: 'omit' });

/** A person who is registered for a test of a service. */
const acts = {
  /**
   * Registers a person and connects them, with examples as answers. Of one who cannot connect nothing is left.
   *
   * @throws SymbolonError `account.confirmation_required`; `sdk.no_sample` with the `label` of the question in its details
   */
  async make(service: SandboxService): Promise<TestPerson> {
    const { origin: baseUrl } = self.location;
    const [email, password] = [`test-${random(6)}@test.example`, random(12)];
    const person = { baseUrl, displayName: 'Test person', email, password, runtime: { fetch: apart } };
    const { client } = await PersonClient.register(person);
    try {
      const customer = await new SandboxCustomer(client, service).prepare();
      const connection = await customer.connect();
      const { connection_id: connectionId, request_fields: asked, mappings } = connection;
      made = { customer, connectionId };
      const answered = new Set(mappings.map(({ slug }) => slug));
      const unanswered = asked.filter(({ slug }) => !answered.has(slug)).map(({ label }) => label);
      return { email, password, connectionId, unanswered, canChange: liveRows(connection).length > 0 };
    } catch (error) {
      await client.security.deleteAccount({ password }).catch(() => undefined);
      throw error;
    }
  },
  /** Gives an answer that is live another value. */
  async change(): Promise<ChangedAnswer> {
    const { customer, connectionId } = theirs();
    const [row] = liveRows(await customer.client.connection(connectionId));
    if (row === undefined) throw new Error('No answer of the test person is live.');
    return { label: row.label, value: await customer.edit(row) };
  },
  /** Ends the connection. The person stays. */
  async end(): Promise<void> {
    const { customer, connectionId } = theirs();
    await customer.client.disconnect(connectionId);
    customer.client.close();
    made = undefined;
  },
};

export type TestPersonActs = typeof acts;

function theirs() {
  if (made === undefined) throw new Error('There is no test person here.');
  return made;
}

function random(bytes: number): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

serve(acts);
