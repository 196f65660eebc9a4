import { createHash } from 'node:crypto';
import {
  type ApproveConsentRequest,
  consentDecisionText,
  type DecidedConsent,
  limits,
  type PersonConnection,
  type PersonConsent,
  type Presence,
  type RefuseConsentRequest,
} from '@symbolon/protocol';
import type { Principal } from '../../../access/principal.ts';
import { PlatformError } from '../../../core/errors.ts';
import { isSameText } from '../../../core/same-text.ts';
import type { Writer } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Audit } from '../../operations/index.ts';
import type { Consents } from '../../sharing/index.ts';
import type { Codes } from '../tokens/codes.ts';
import type { Grant, SignInMode } from '../tokens/grant.ts';
import { type CheckedAnswers, checkAnswers, refuseChanged } from './answers.ts';
import type { DecisionLimits } from './decision-limits.ts';
import { type ConsentAnswer, redirectTo } from './redirects.ts';
import type { ConsentDeps, ConsentRequests, OpenRequest } from './requests.ts';
import { countWrongDigits, decideRequest, insertSignInLog, saveChoices, shareCodeOf } from './store.ts';
import { placeOfResult, type SignInLogRow } from './tables.ts';

/** Who approves, by which credentials. */
type Approver = Pick<Extract<Principal, { kind: 'person' }>, 'personId' | 'epoch'>;

interface Deps extends ConsentDeps {
  readonly requests: ConsentRequests;
  readonly codes: Codes;
  readonly personConsents: Consents<PersonConnection, PersonConsent>;
  readonly audit: Audit;
  readonly limits: DecisionLimits;
}

/** Entries of the digits of another screen. */
const DIGIT_TRIES = 3;

/** What people decide at the consent page. */
export class ConsentDecisions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Approves a request: once, with everything that follows from it in one transaction.
   * @param proven undefined when the person proved nothing beside being signed in
   * @throws {PlatformError} those of `ConsentRequests.require` and `checkAnswers`, auth.two_factor_required,
   *   contact_data.field_changed, twofa.level_required, and those of connecting and providing
   */
  async approve(
    person: Approver,
    id: string,
    sent: ApproveConsentRequest,
    proven: Presence | undefined,
  ): Promise<DecidedConsent> {
    const { database, clock, registry, requests } = this.#deps;
    const { personId } = person;
    const request = await requests.require(personId, id, sent.request_token);
    const { app, row } = request;
    const needs = requests.needsOf(request);
    if (needs.two_factor && proven?.twoFactor !== true) throw new PlatformError('auth.two_factor_required');
    if (needs.presence && proven === undefined) throw new PlatformError('auth.two_factor_required');
    // What was sealed to a key that was replaced meanwhile, the app could not open.
    if (app.public_key_sha256 !== row.public_key_sha256) throw new PlatformError('oauth.request_expired');
    this.#refuseAddress(request);
    if (needs.digits) await this.#checkDigits(personId, request, sent.digits);
    const context = { personId, claims: request.claims, app, registry, now: clock.now() };
    const answers = await checkAnswers(database.reader, sent.claims ?? [], context);
    if (Object.keys(answers.values).length > 0) await this.#deps.limits.countValues(personId);
    let answer: ConsentAnswer | undefined;
    await this.#act(personId, request, { ...sent, presence: proven }, async (writer) => {
      answer = await this.#finish(writer, person, request, answers, needs.two_factor);
    });
    if (answer === undefined) throw new Error('The decision was not carried out.');
    return this.#told(request, answer);
  }

  /** Refuses a request. @throws {PlatformError} those of `ConsentRequests.require` */
  async refuse(personId: string, id: string, sent: RefuseConsentRequest): Promise<DecidedConsent> {
    const { audit, database, requests } = this.#deps;
    const request = await requests.require(personId, id, sent.request_token);
    const { app, parameters } = request;
    this.#refuseAddress(request);
    const outcome = sent.not_me === true ? 'not_me' : 'refused';
    const isTold = outcome === 'not_me' && (await this.#deps.limits.mayTell(personId, app.client_id));
    await database.write(async (writer) => {
      await this.#decide(writer, personId, request, { status: 'refused', result: null });
      await insertSignInLog(
        writer,
        this.#entry(personId, request, { outcome, claims: [], twoFactor: false }),
      );
      if (!isTold) return;
      // The company learns that it happened, but not who the person is.
      await audit.record(writer, {
        companyId: app.company_id,
        actor: { kind: 'platform', id: '' },
        action: 'oauth_app.sign_in_disowned',
        target: app.client_id,
        details: { mode: parameters.mode, detached: parameters.detached },
      });
    });
    return this.#told(request, {
      error: 'access_denied',
      description: 'The person refused.',
    });
  }

  /**
   * Who types the digits sees the screen that is signed in. The third wrong entry refuses.
   * @throws {PlatformError} oauth.digits_required, oauth.digits_wrong with `tries_left`, oauth.request_decided
   */
  async #checkDigits(personId: string, request: OpenRequest, typed: string | undefined): Promise<void> {
    const { database, requests } = this.#deps;
    if (typed === undefined) throw new PlatformError('oauth.digits_required');
    const { row } = request;
    if (isSameText(typed, requests.digitsOf(row))) return;
    const triesLeft = await database.write(async (writer) => {
      const left = DIGIT_TRIES - (await countWrongDigits(writer, row));
      if (left > 0) return left;
      await this.#decide(writer, personId, request, { status: 'refused', result: null });
      const entry = { outcome: 'refused', claims: [], twoFactor: false } as const;
      await insertSignInLog(writer, this.#entry(personId, request, entry));
      return 0;
    });
    throw new PlatformError('oauth.digits_wrong', { details: { tries_left: Math.max(0, triesLeft) } });
  }

  /** The company may have taken the address away since the page was opened. @throws {PlatformError} oauth.redirect_uri_invalid */
  #refuseAddress({ app, parameters }: OpenRequest): void {
    const { redirectUri } = parameters;
    if (redirectUri !== null && !this.#deps.signInApps.allowsRedirect(app, redirectUri)) {
      throw new PlatformError('oauth.redirect_uri_invalid');
    }
  }

  /** Does what the mode asks for, and `finish` in the same transaction. */
  async #act(
    personId: string,
    request: OpenRequest,
    { decisions = [], presence }: ApproveConsentRequest & { presence: Presence | undefined },
    finish: (writer: Writer) => Promise<void>,
  ): Promise<void> {
    const { database, enrolments, personConnections, personConsents } = this.#deps;
    const { app, parameters, service } = request;
    if (decisions.length > 0 && parameters.mode !== 'connect') {
      throw new PlatformError('contact_data.decision_invalid');
    }
    if (parameters.mode !== 'connect' && parameters.mode !== '2fa_enroll') return database.write(finish);
    if (service === undefined) throw new PlatformError('oauth.connect_no_service');
    if (parameters.mode === '2fa_enroll') {
      const enrolment = {
        personId,
        companyId: app.company_id,
        serviceId: service.id,
        appId: app.client_id,
      };
      return database.write(async (writer) => {
        await enrolments.enrol(writer, enrolment);
        await finish(writer);
      });
    }
    const connection = await personConnections.withService(personId, service.id);
    if (connection === undefined) {
      const codes = { company_code: service.company_code, service_code: service.share_code };
      await personConnections.connect(personId, { ...codes, decisions }, { presence, within: finish });
      return;
    }
    if (decisions.length === 0) return database.write(finish);
    const pending = connection.pending_consent;
    if (pending === null) throw new PlatformError('contact_data.decision_invalid');
    await personConsents.provide(personId, pending.id, decisions, finish);
  }

  /** Decides the request, gives the app its code and remembers what was chosen. */
  async #finish(
    writer: Writer,
    person: Approver,
    request: OpenRequest,
    answers: CheckedAnswers,
    twoFactor: boolean,
  ): Promise<ConsentAnswer> {
    const { app, parameters, row } = request;
    const { personId } = person;
    await refuseChanged(writer, personId, answers);
    const answer: ConsentAnswer =
      parameters.mode === '2fa_enroll'
        ? { enrolled: true }
        : {
            code: await this.#deps.codes.mint(
              writer,
              await this.#grant(writer, person, request, answers, twoFactor),
            ),
          };
    const result = parameters.detached ? this.#encrypted(row, answer) : null;
    await this.#decide(writer, personId, request, { status: 'approved', result });
    await insertSignInLog(
      writer,
      this.#entry(personId, request, { outcome: 'approved', claims: answers.names, twoFactor }),
    );
    if (answers.names.length > 0) {
      await saveChoices(writer, {
        company_id: app.company_id,
        client_id: app.client_id,
        person_id: personId,
        fields: JSON.stringify(answers.choices),
      });
    }
    return answer;
  }

  async #grant(
    writer: Writer,
    { personId, epoch }: Approver,
    request: OpenRequest,
    answers: CheckedAnswers,
    twoFactor: boolean,
  ): Promise<Grant> {
    const { app, parameters } = request;
    const shareCode = await shareCodeOf(writer, personId);
    if (shareCode === undefined) throw new PlatformError('auth.invalid');
    return {
      companyId: app.company_id,
      clientId: app.client_id,
      personId,
      personEpoch: epoch ?? null,
      shareCode,
      mode: parameters.mode as SignInMode,
      redirectUri: parameters.redirectUri,
      codeChallenge: parameters.codeChallenge,
      nonce: parameters.nonce,
      scope: parameters.scope,
      twoFactor,
      values: answers.values,
      attestations: answers.attestations,
      ...(answers.plaintext === undefined ? {} : { plaintext: answers.plaintext }),
      ...(this.#deps.requests.needsOf(request).presence ? { authTime: this.#deps.clock.now() } : {}),
    };
  }

  async #decide(
    writer: Writer,
    personId: string,
    { row }: OpenRequest,
    decision: { status: 'approved' | 'refused'; result: string | null },
  ): Promise<void> {
    const now = this.#deps.clock.now();
    if (!(await decideRequest(writer, row, { ...decision, personId, now }))) {
      throw new PlatformError('oauth.request_decided');
    }
  }

  #encrypted(row: OpenRequest['row'], answer: ConsentAnswer): string {
    return this.#deps.secrets.encrypt(Buffer.from(JSON.stringify(answer)), placeOfResult(row));
  }

  #entry(
    personId: string,
    { app, parameters }: OpenRequest,
    entry: { outcome: SignInLogRow['outcome']; claims: readonly string[]; twoFactor: boolean },
  ): SignInLogRow {
    const at = this.#deps.clock.now();
    return {
      company_id: app.company_id,
      id: this.#deps.ids.uuid(),
      person_id: personId,
      client_id: app.client_id,
      mode: parameters.mode,
      outcome: entry.outcome,
      claims: JSON.stringify(entry.claims),
      two_factor: flag(entry.twoFactor),
      detached: flag(parameters.detached),
      at,
      expires_at: at + limits.signInRetentionMs,
    };
  }

  #told({ parameters, row }: OpenRequest, answer: ConsentAnswer): DecidedConsent {
    const { detached, redirectUri, state } = parameters;
    if (detached || redirectUri === null) return { detached: true };
    return { redirect_to: redirectTo(redirectUri, answer, { state, issuer: row.issuer }) };
  }
}

/** What a proof of presence for a decision is made for: this request and exactly this decision. */
export function consentAct(
  id: string,
  decision: Pick<ApproveConsentRequest, 'claims' | 'decisions'>,
): string {
  return `consent ${id} ${createHash('sha256').update(consentDecisionText(decision)).digest('hex')}`;
}
