import type { Document } from '@symbolon/protocol';
import { TextLink } from '../../../parts/text-link.tsx';
import type { Customers } from '../../../platform/portal/customers.ts';
import { usePortalText } from '../../../text/portal/index.tsx';

/** Whom a document is for: a customer whose connection has ended is known by the code alone. */
export function IssuedTo({
  serviceId,
  document: { connection_id: connectionId, share_code: code },
  customers,
}: {
  serviceId: string;
  document: Document;
  customers: Customers | undefined;
}) {
  const { t } = usePortalText();
  if (connectionId === null) return t('issued.everyone');
  const customer = customers?.get(connectionId);
  if (customer === undefined) return code ?? t('issued.gone');
  return (
    <TextLink to="/portal/services/$serviceId/customers/$connectionId" params={{ serviceId, connectionId }}>
      {customer.display_name}
    </TextLink>
  );
}
