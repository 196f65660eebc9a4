import type { ReplyTemplate, ReplyTemplateList, ReplyTemplateRequest } from '@symbolon/protocol';
import { outdate, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

/** The texts that the staff of a service sends again and again, by name. */
export const replyTextsQuery = (serviceId: string): Query<readonly ReplyTemplate[]> => ({
  key: portalKeys.replyTexts(serviceId),
  read: async () => (await portalCall<ReplyTemplateList>('GET', at(serviceId))).templates,
});

/** Keeps a text: in the place of one, or as another. @param id of the one that it replaces */
export async function keepReplyText(
  serviceId: string,
  id: string | undefined,
  text: ReplyTemplateRequest,
): Promise<void> {
  if (id === undefined) await portalCall<ReplyTemplate>('POST', at(serviceId), text);
  else await portalCall<ReplyTemplate>('PUT', `${at(serviceId)}/${id}`, text);
  await outdate(portalKeys.replyTexts(serviceId));
}

export async function deleteReplyText(serviceId: string, id: string): Promise<void> {
  await portalCall('DELETE', `${at(serviceId)}/${id}`);
  await outdate(portalKeys.replyTexts(serviceId));
}

/** A text as it goes to a customer. */
export const filledFor = ({ body }: ReplyTemplate, customer: string): string =>
  body.replaceAll('{name}', () => customer);

const at = (serviceId: string) => `/api/services/${serviceId}/reply-templates`;
