import { SignInTokenResponse, TokenError, TokenForm, TokenResponse } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import { networkOf } from '../../../core/ip-address.ts';
import { hasNul, NUL_REFUSED } from '../../../core/nul.ts';
import type { App } from '../../../http/app.ts';
import { formOf, takeForms } from '../../../http/forms.ts';
import type { Core } from '../../domain.ts';
import type { Grants } from './grant.ts';

const CODE_GRANT = 'authorization_code';

export function tokenRoutes(
  app: App,
  { grant, rateLimits, failures }: Pick<Core, 'rateLimits' | 'failures'> & { grant: Grants },
): void {
  // Codes are counted for their app, once it is known; the rest for the address, as are refused exchanges.
  const isLimited = rateLimits.limits('token');
  const counted = async (form: URLSearchParams, request: FastifyRequest) => {
    if (isLimited && form.get('grant_type') !== CODE_GRANT)
      await rateLimits.consume('token', networkOf(request.ip));
  };
  const refused = async (error: unknown, form: URLSearchParams, ip: string) => {
    const isWrong = error instanceof PlatformError && error.status < 500 && error.status !== 429;
    if (isWrong && form.get('grant_type') === CODE_GRANT) await failures.failed('exchange', ip);
  };

  app.register(async (scope) => {
    // This route speaks forms only (RFC 6749 4.4.2); anything else is refused in the route's own error shape.
    takeForms(scope as unknown as App);
    scope.post(
      '/oauth2/token',
      {
        config: {
          access: 'open',
          limit: 'own',
          alwaysJson: true,
          ignoresQuery: true,
          oauthErrors: true,
          errors: [
            'invalid_client',
            'invalid_grant',
            'invalid_request',
            'unauthorized_client',
            'unsupported_grant_type',
          ],
        },
        schema: {
          tags: ['authentication'],
          summary: 'Exchange client credentials, or the code of a sign-in, for tokens',
          description:
            'Form parameters: grant_type=client_credentials, client_id, client_secret; or grant_type=authorization_code, client_id, code, redirect_uri, code_verifier, and client_secret of a confidential app. Credentials may come by HTTP Basic instead.',
          consumes: ['application/x-www-form-urlencoded'],
          body: TokenForm,
          response: {
            200: Type.Union([TokenResponse, SignInTokenResponse]),
            400: TokenError,
            401: TokenError,
          },
        },
        // The schema tells what to send; refusals are the grant's, in the shape OAuth wants.
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        // Beside no-store (RFC 6749 5.1).
        reply.header('pragma', 'no-cache');
        const form = formOf(request);
        const { authorization, host } = request.headers;
        const given = { form, basic: basicCredentials(authorization), host };
        await counted(form, request);
        try {
          return await grant.grant(given);
        } catch (error) {
          await refused(error, form, request.ip);
          throw authorization === undefined ? error : challenged(error);
        }
      },
    );
  });
}

/** A client that came with HTTP Basic gets a challenge when it is refused (RFC 6749 5.2). */
function challenged(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.key !== 'invalid_client') return error;
  return new PlatformError('invalid_client', { headers: { 'www-authenticate': 'Basic realm="symbolon"' } });
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. @throws {PlatformError} invalid_request */
function basicCredentials(header: string | undefined): { clientId: string; secret: string } | undefined {
  const encoded = header === undefined ? undefined : /^Basic +([A-Za-z0-9+/=]{1,2048})$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part.replaceAll('+', ' '));
    } catch {
      return part;
    }
  };
  const [clientId, secret] = [decode(text.slice(0, colon)), decode(text.slice(colon + 1))];
  if (hasNul(clientId) || hasNul(secret)) throw new PlatformError('invalid_request', { text: NUL_REFUSED });
  return { clientId, secret };
}
