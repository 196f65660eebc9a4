import { encodeHex } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type ApproveConsentRequest,
  type BegunConsent,
  type ClaimAnswer,
  type ConsentClaim,
  type ConsentRequest,
  consentDecisionText,
  type DecidedConsent,
  type Decision,
  type OpenedConsent,
  type PresenceProof,
  type RequestField,
  type SignIn,
} from '@symbolon/protocol';
import { type Asked, unknownAnswer } from '../customer-side/decisions.ts';
import { type Api, path } from '../http/api.ts';
import { InvalidRequestError } from '../http/errors.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';
import { asAsked } from './consent-address.ts';
import { type Answers, readableField } from './decisions.ts';
import type { Field } from './field.ts';
import type { PersonKeys } from './person-keys.ts';

/**
 * How a person answers a claim: by a field (its id or slug), or by a typed value. `plaintext` hands it over readable, where the site asks
 * for it so; nothing is readable without it.
 */
export type ClaimInput = ({ field: string } | { value: ValueInput }) & { plaintext?: boolean };

export type Approval = {
  /** That the other screen shows, where `needs.digits` is set. */
  digits?: string;
  /** By the claim's name. */
  claims?: Readonly<Record<string, ClaimInput>>;
  /** Of a request to connect: by the service's request slug. */
  answers?: Answers;
  /** Proves presence for this very decision; called when the request needs it. */
  prove?: (act: string) => Promise<PresenceProof>;
};

type Deps = {
  api: Api;
  keys: PersonKeys;
  fields: () => Promise<readonly Field[]>;
  fieldTypes: () => Promise<FieldTypeRegistry>;
  decisions: (answers: Answers, asked: Asked<RequestField>) => Promise<Decision[]>;
};

const REQUESTS = '/api/consent/requests';

/** The consent page of a device: `consent` of a person client. It seals what the person answers to the app's key (wire 10.4). */
export class ConsentPage {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Opens the request in the page's address.
   *
   * @returns what to show, or `redirect_to` when the app made a mistake and is to hear of it
   * @throws SymbolonError `oauth.client_unknown`, `oauth.redirect_uri_invalid`, … when the person cannot go back: show the
   * message and lead nowhere; UnconfirmedKeyError `sdk.owner_changed` when the platform names another app than the address
   */
  async open(query: string): Promise<OpenedConsent> {
    return asAsked(query, await this.#post<OpenedConsent>(REQUESTS, { query }));
  }

  /** Makes the request this person's. @throws ForbiddenError `oauth.request_owned` when another person has begun it */
  begin({ request_id, request_token }: ConsentRequest): Promise<BegunConsent> {
    return this.#post(`${REQUESTS}/${encodeURIComponent(request_id)}/begin`, { request_token });
  }

  /**
   * Approves a request: seals the answers, and proves presence where that is needed.
   *
   * @throws UnconfirmedKeyError `sdk.app_key_changed`, `sdk.owner_changed`; InvalidRequestError `sdk.claim_readable`, `oauth.claims_missing`, `sdk.answer_unknown`, `oauth.digits_wrong`; ValueError
   */
  async approve(
    request: ConsentRequest,
    begun: BegunConsent,
    approval: Approval = {},
  ): Promise<DecidedConsent> {
    const { request_id, request_token } = request;
    const claims = await this.#claims(request, approval.claims ?? {});
    const decisions = await this.#decisions(request, begun, approval.answers ?? {});
    const decision = { claims, ...(decisions === undefined ? {} : { decisions }) };
    const proof = request.needs.presence
      ? await approval.prove?.(await consentAct(request_id, decision))
      : undefined;
    const json: ApproveConsentRequest = {
      request_token,
      ...decision,
      ...(proof === undefined ? {} : { proof }),
      ...(approval.digits === undefined ? {} : { digits: approval.digits }),
    };
    return this.#post(`${REQUESTS}/${encodeURIComponent(request_id)}/approve`, json);
  }

  /** @param options.notMe the person did not start this sign-in */
  refuse(request: ConsentRequest, options: { notMe?: boolean } = {}): Promise<DecidedConsent> {
    const { request_id, request_token } = request;
    const json = { request_token, ...(options.notMe ? { not_me: true } : {}) };
    return this.#post(`${REQUESTS}/${encodeURIComponent(request_id)}/refuse`, json);
  }

  /** What apps asked this person, oldest first. */
  async signIns(): Promise<SignIn[]> {
    const call = { method: 'GET', path: '/api/person/sign-ins' } as const;
    return (await this.#deps.api.json<{ sign_ins: SignIn[] }>(call)).sign_ins;
  }

  /** Ends what the app of a sign-in can still read. */
  revoke(signInId: string): Promise<void> {
    return this.#deps.api.done({ method: 'DELETE', path: path`/api/person/sign-ins/${signInId}` });
  }

  async #claims(
    { app, claims }: ConsentRequest,
    inputs: Readonly<Record<string, ClaimInput>>,
  ): Promise<ClaimAnswer[]> {
    const answered = claims.filter(({ name }) => Object.hasOwn(inputs, name));
    const unknown = Object.keys(inputs).find((name) => !answered.some((claim) => claim.name === name));
    if (unknown !== undefined) throw unknownAnswer(`The app asks for no claim ${unknown}.`);
    if (answered.length === 0) return [];
    const [fields, registry] = await Promise.all([this.#deps.fields(), this.#deps.fieldTypes()]);
    return Promise.all(
      answered.map(async (claim): Promise<ClaimAnswer> => {
        const { text, fieldId } = answerOf(claim, inputs[claim.name] as ClaimInput, fields, registry);
        const named = { name: claim.name, ...(fieldId === undefined ? {} : { field_id: fieldId }) };
        if (claim.delivery === 'plaintext') {
          if (inputs[claim.name]?.plaintext !== true) throw readable(claim.name);
          return { ...named, plaintext: text };
        }
        const { client_id, public_key } = app;
        if (public_key === null) throw unknownAnswer('The app has no key.');
        return { ...named, wrapper: await this.#deps.keys.sealToApp({ client_id, public_key }, text) };
      }),
    );
  }

  /** Answers to the service: all that it asks, or what is pending for who is connected. */
  async #decisions(
    { app, connect }: ConsentRequest,
    begun: BegunConsent,
    answers: Answers,
  ): Promise<Decision[] | undefined> {
    if (connect === null) return undefined;
    const request_fields = begun.connected ? begun.request_fields : connect.request_fields;
    if (begun.connected && request_fields.length === 0) return undefined;
    return this.#deps.decisions(answers, {
      ...{ service: connect.service, request_fields, isNew: !begun.connected },
      of: { kind: 'site', id: app.client_id },
    });
  }

  #post<T>(address: string, json: unknown): Promise<T> {
    return this.#deps.api.json({ method: 'POST', path: address, json });
  }
}

/** What a proof for a decision is made for. */
async function consentAct(
  requestId: string,
  decision: Pick<ApproveConsentRequest, 'claims' | 'decisions'>,
): Promise<string> {
  const text = new TextEncoder().encode(consentDecisionText(decision));
  const digest = await globalThis.crypto.subtle.digest('SHA-256', text);
  return `consent ${requestId} ${encodeHex(new Uint8Array(digest))}`;
}

const readable = (name: string) =>
  new InvalidRequestError({
    errorKey: 'sdk.claim_readable',
    message: `Nothing was sent: the site, and the platform, can read what is answered to ${name}. Answer it with \`plaintext: true\` if that is wanted, or leave it out.`,
    details: { claim: name },
  });

function answerOf(
  claim: ConsentClaim,
  input: ClaimInput,
  fields: readonly Field[],
  registry: FieldTypeRegistry,
): { text: string; fieldId?: string } {
  if ('value' in input) return { text: plaintextOf(claim.type, input.value, registry) };
  const { id, text } = readableField(fields, input.field);
  return { text, fieldId: id };
}
