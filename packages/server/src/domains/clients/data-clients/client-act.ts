import type { AuditAction } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { Writer } from '../../../db/database.ts';
import type { Actor, Audit } from '../../operations/index.ts';

/** A client of a company, as routes address it, and who acts on it. */
export interface ClientAct {
  readonly companyId: string;
  readonly clientId: string;
  readonly actor: Actor;
}

export const clientParams = { id: Type.String({ minLength: 1, maxLength: 200, description: 'client_id' }) };

export function clientActOf(request: FastifyRequest & { params: { id: string } }): ClientAct {
  return { companyId: companyOf(request), clientId: request.params.id, actor: actorOf(request) };
}

/** @param action such as `oauth_app.created` */
export function recordClientAct(
  audit: Audit,
  writer: Writer,
  { companyId, clientId, actor }: ClientAct,
  action: AuditAction,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return audit.record(writer, { companyId, actor, action, target: clientId, details });
}
