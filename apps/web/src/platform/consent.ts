import { encodeHex } from '@symbolon/crypto';
import {
  type ApproveConsentRequest,
  type BegunConsent,
  type ConsentRequest,
  consentDecisionText,
  type DecidedConsent,
  type OpenedConsent,
} from '@symbolon/protocol';
import { asAsked } from '@symbolon/sdk/device';
import { decisionsOf, type RowAnswers, sealedTo } from './answers.ts';
import { OPEN_CONSENT } from './inner/addresses.ts';
import { call } from './inner/api.ts';
import type { Proof } from './presence.ts';
import { isWayBack } from './way-back.ts';

export type Request = ConsentRequest;
export type Begun = BegunConsent;
export type Decided = DecidedConsent;

const at = ({ request_id }: Request, act: string) =>
  `${OPEN_CONSENT}/${encodeURIComponent(request_id)}/${act}`;
const tokenOf = ({ request_token }: Request) => ({ request_token });

/** @param query of the page's address */
export async function openRequest(query: string): Promise<OpenedConsent> {
  return asAsked(query, await call('POST', OPEN_CONSENT, { query }));
}

export function begin(request: Request): Promise<Begun> {
  return call('POST', at(request, 'begin'), tokenOf(request));
}

export function refuse(request: Request, notMe: boolean): Promise<Decided> {
  return call('POST', at(request, 'refuse'), { ...tokenOf(request), ...(notMe && { not_me: true }) });
}

/** What the person answers: by the claim's name, and by the id of the service's row. */
export type Choices = {
  claims: RowAnswers;
  rows: RowAnswers;
};
export type Decision = Required<Pick<ApproveConsentRequest, 'claims' | 'decisions'>>;

/** Seals the answers: claims to the site's key, the rows of a service to the service's. */
export async function sealDecision(request: Request, { claims, rows }: Choices): Promise<Decision> {
  const { app, connect } = request;
  const answered = request.claims.flatMap((claim) => {
    const answer = claims.get(claim.name);
    if (answer === undefined) return [];
    const { field } = answer;
    const text = answer.field === undefined ? answer.text : answer.field.text;
    return text === null ? [] : [{ claim, field, text }];
  });
  return {
    claims: await Promise.all(
      answered.map(async ({ claim, field, text }) => ({
        name: claim.name,
        ...(field && { field_id: field.id }),
        ...(claim.delivery === 'plaintext'
          ? { plaintext: text }
          : { wrapper: await sealedTo(text, app.public_key) }),
      })),
    ),
    decisions: await decisionsOf(rows, connect?.service.public_key),
  };
}

/** Names this very decision, so that a proof for it is good for nothing else. */
export async function actOf({ request_id }: Request, decision: Decision): Promise<string> {
  const bytes = new TextEncoder().encode(consentDecisionText(decision));
  const digest = encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  return `consent ${request_id} ${digest}`;
}

/** @param typed.digits of the other screen, where the request needs them */
export function approve(
  request: Request,
  decision: Decision,
  { proof, digits }: { proof?: Proof; digits?: string } = {},
): Promise<Decided> {
  const body = { ...tokenOf(request), ...decision, ...(proof && { proof }), ...(digits && { digits }) };
  return call('POST', at(request, 'approve'), body);
}

/** Goes back to the site or the app. */
export function leave({ redirect_to }: { redirect_to: string }): void {
  if (!isWayBack(redirect_to)) throw new Error('This is no address to go back to.');
  location.replace(redirect_to);
}
