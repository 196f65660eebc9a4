import {
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  Company,
  PortalRegisterRequest,
  PortalSession,
  PortalSignInRequest,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { companyOf } from '../../access/callers.ts';
import { PlatformError } from '../../errors.ts';
import type { App } from '../../http/app.ts';
import type { Portal } from './portal.ts';

export function portalRoutes(app: App, { portal }: { portal: Portal }): void {
  app.post(
    '/api/portal/register',
    {
      config: { access: 'open', invalidKeys: { '/email': 'account.email_invalid' } },
      schema: {
        tags: ['portal'],
        summary: 'Register a company',
        body: PortalRegisterRequest,
        response: { 201: PortalSession },
      },
    },
    async (request, reply) => reply.code(201).send(await portal.register(request.body)),
  );

  app.post(
    '/api/portal/sign-in',
    {
      config: { access: 'open' },
      schema: {
        tags: ['portal'],
        summary: 'Sign a company in',
        body: PortalSignInRequest,
        response: { 200: PortalSession },
      },
    },
    async (request) => portal.signIn(request.body, request.ip),
  );

  app.post(
    '/api/portal/sign-out',
    {
      config: { access: ['portal'] },
      schema: { tags: ['portal'], summary: 'End the session', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      if (request.principal?.kind !== 'portal') throw new PlatformError('auth.forbidden');
      await portal.signOut(request.principal.sessionHash);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/account',
    {
      config: { access: ['portal', 'account_client'] },
      schema: { tags: ['account'], summary: 'The company itself', response: { 200: Company } },
    },
    async (request) => portal.company(companyOf(request)),
  );

  // Never for a machine client: spec 5.5.
  app.get(
    '/api/account-key',
    {
      config: { access: ['portal'] },
      schema: { tags: ['account'], summary: "The company's account key", response: { 200: AccountKey } },
    },
    async (request, reply) => reply.header(...NO_STORE).send(await portal.accountKey(companyOf(request))),
  );

  app.post(
    '/api/account-key',
    {
      config: { access: ['portal'] },
      schema: {
        tags: ['account'],
        summary: "The private half of the company's account key",
        description: 'It opens webhook envelopes, so the password is asked for once more.',
        body: AccountPrivateKeyRequest,
        response: { 200: AccountPrivateKey },
      },
    },
    async (request, reply) => {
      const { password } = request.body;
      const key = await portal.accountPrivateKey(companyOf(request), password, request.ip);
      return reply.header(...NO_STORE).send(key);
    },
  );
}

const NO_STORE = ['cache-control', 'no-store'] as const;
