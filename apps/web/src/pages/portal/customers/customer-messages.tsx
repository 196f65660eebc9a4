import type { CompanyConnection } from '@symbolon/protocol';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { Composer } from '../../../parts/messages/composer.tsx';
import { ThreadLog } from '../../../parts/messages/thread-log.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import {
  customerDraft,
  customerMessages,
  customerThread,
  keepCustomerDraft,
  markCustomerRead,
  sendToCustomer,
} from '../../../platform/portal/messages.ts';
import { serviceQuery } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';

/** What the service and one customer wrote to each other. Who only views neither writes nor acknowledges. */
export function CustomerMessages({
  serviceId,
  customer,
}: {
  serviceId: string;
  customer: CompanyConnection;
}) {
  const { t } = usePortalText();
  const login = usePortalLogin();
  const service = useRead(serviceQuery(serviceId));
  const { connection_id: id, display_name: name } = customer;
  return (
    <Group title={t('customer.messages')} lead={t('customer.messages.lead', { customer: name })}>
      <Loaded of={service} height={160}>
        {(found) => (
          <ThreadLog
            query={customerThread(serviceId, id)}
            names={{ own: login.company.name, other: name }}
            emptyText={t('customer.messages.empty', { customer: name })}
            older={(before) => customerMessages(serviceId, id, before)}
            {...(mayAs(login, 'support') && {
              markRead: (messageId) => markCustomerRead(serviceId, id, messageId),
              composer: (show) => (
                <Writing
                  customer={customer}
                  send={async (text) => show(await sendToCustomer(found, customer, text))}
                />
              ),
            })}
          />
        )}
      </Loaded>
    </Group>
  );
}

/** What was begun stays while one looks at other pages. */
function Writing({ customer, send }: { customer: CompanyConnection; send: (text: string) => Promise<void> }) {
  const { connection_id: id, display_name: name } = customer;
  const [text, setText] = useState(() => customerDraft(id));
  const write = (written: string) => {
    keepCustomerDraft(id, written);
    setText(written);
  };
  return (
    <Composer
      name={name}
      text={text}
      setText={write}
      send={async (written) => {
        await send(written);
        write('');
      }}
    />
  );
}
