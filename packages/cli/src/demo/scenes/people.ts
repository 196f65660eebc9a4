import type { Field } from '@symbolon/sdk/person';
import { PersonClient } from '@symbolon/sdk/person';
import { type PersonScript, people } from '../cast.ts';
import { randomPassword } from '../leave-behind.ts';
import type { Narrator } from '../narrator.ts';
import { codeFromOutbox } from '../outbox.ts';
import type { Stage } from '../stage.ts';

/** A person of the story with the device that plays her. */
export class Player {
  readonly script: PersonScript;
  readonly client: PersonClient;
  readonly password: string;
  readonly #fields: ReadonlyMap<string, Field>;

  constructor(script: PersonScript, client: PersonClient, password: string, fields: readonly Field[]) {
    this.script = script;
    this.client = client;
    this.password = password;
    this.#fields = new Map(fields.map((field) => [field.slug, field]));
  }

  /** A field as it was created. */
  field(slug: string): Field {
    const field = this.#fields.get(slug);
    if (field === undefined) throw new Error(`${this.script.name} has no field ${slug}.`);
    return field;
  }

  /** What this person typed to answer a request row. */
  typed(slug: string): unknown {
    const answer = this.script.answers[slug];
    if (answer === undefined) throw new Error(`${this.script.name} did not answer ${slug}.`);
    if ('value' in answer) return answer.value;
    return this.script.fields.find((field) => field.slug === answer.field)?.value;
  }
}

type Where = Pick<Stage, 'url' | 'folder'>;

export type Players = Readonly<Record<keyof typeof people, Player>>;

export async function registerPeople(stage: Where, tell: Narrator): Promise<Players> {
  tell.chapter('Three people register');
  const [mira, jonas, aiko] = await Promise.all([
    register(stage, people.mira),
    register(stage, people.jonas),
    register(stage, people.aiko),
  ]);
  for (const { client, script } of [mira, jonas, aiko]) {
    const count = script.fields.length;
    tell.fact(
      script.name,
      `share code ${client.person.share_code}, ${count} fields; password and readable key stay on the device`,
    );
  }
  return { mira, jonas, aiko };
}

async function register({ url, folder }: Where, script: PersonScript): Promise<Player> {
  const { name: displayName, login: email } = script;
  const password = randomPassword();
  const { client } = await PersonClient.register({
    baseUrl: url,
    email,
    displayName,
    password,
    code: async () => (await codeFromOutbox(folder, email)).code,
  });
  const fields: Field[] = [];
  for (const field of script.fields) fields.push(await client.createField(field));
  return new Player(script, client, password, fields);
}
