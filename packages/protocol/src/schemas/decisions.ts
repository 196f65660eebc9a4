import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact, Id, Nullable, WrapperInput } from './common.ts';

/**
 * The schemas by which a customer answers the request rows of a service. A decision of the `lasting` kind stands until
 * the row is mapped again; `one_time` is a snapshot; `remove` (mapping only) takes the present answer away.
 *
 * @param more what only this kind of customer sends with a decision
 */
export function decisionSchemas<
  const Lasting extends string,
  const More extends Parameters<typeof Type.Object>[0],
>(lasting: Lasting, more: More) {
  const Decision = Exact({
    request_field_id: Id,
    kind: Type.Union([Type.Literal(lasting), Type.Literal('one_time'), Type.Literal('remove')]),
    ...more,
    value: Type.Optional(WrapperInput),
  });
  const decisions = Type.Array(Decision, { maxItems: limits.requestFieldsMost });
  const ConnectRequest = Exact({
    company_code: Type.String({ maxLength: 40 }),
    service_code: Type.Optional(Nullable(Type.String({ maxLength: 40 }))),
    decisions,
  });
  return { Decision, ConnectRequest, DecisionsRequest: Exact({ decisions }) };
}
