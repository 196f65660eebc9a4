import type { CompanyConnection } from '@symbolon/protocol';
import { useEffect, useMemo } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { Composer } from '../../../parts/messages/composer.tsx';
import { ThreadLog } from '../../../parts/messages/thread-log.tsx';
import { useDraftText } from '../../../parts/messages/use-draft-text.ts';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import {
  customerDrafts,
  customerMessages,
  customerThread,
  markCustomerRead,
  sendToCustomer,
  takeBegun,
} from '../../../platform/portal/messages.ts';
import { filledFor } from '../../../platform/portal/reply-texts.ts';
import { serviceQuery } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { ReplyTexts } from './reply-texts.tsx';

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
                  serviceId={serviceId}
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

/** What was begun goes on on another device, and after the page was closed. */
function Writing({
  serviceId,
  customer,
  send,
}: {
  serviceId: string;
  customer: CompanyConnection;
  send: (text: string) => Promise<void>;
}) {
  const { login } = usePortalLogin();
  const { connection_id: id, display_name: name } = customer;
  const holder = useMemo(() => customerDrafts(serviceId, login.id), [serviceId, login.id]);
  const { text, setText, startOver } = useDraftText(id, holder);
  useEffect(() => {
    const begun = takeBegun(id);
    if (begun !== undefined) setText(begun);
  }, [id, setText]);
  return (
    <>
      <ReplyTexts
        serviceId={serviceId}
        insert={(template) => {
          const filled = filledFor(template, name);
          setText(text.trim() === '' ? filled : `${text}\n${filled}`);
        }}
      />
      <Composer
        name={name}
        text={text}
        setText={setText}
        send={async (written) => {
          await send(written);
          startOver();
        }}
      />
    </>
  );
}
