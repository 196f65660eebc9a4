import { Button, Group, NativeSelect } from '@mantine/core';
import type { InboxThread, Service } from '@symbolon/protocol';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { delegatesQuery } from '../../../platform/portal/account.ts';
import { useHasKey } from '../../../platform/portal/copies.ts';
import { customerQuery } from '../../../platform/portal/customers.ts';
import { assignThread, type InboxView, setThreadState, threadQuery } from '../../../platform/portal/inbox.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { isAtLeast, mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { CustomerMessages } from '../customers/customer-messages.tsx';

interface Props {
  readonly service: Service;
  readonly connectionId: string;
}

/** One thread of the inbox, once the key of the service is open. */
export function ThreadPage({
  service,
  connectionId,
  list,
}: Props & { list: { view: InboxView; way: string | undefined; all: string | undefined } }) {
  const { t } = usePortalText();
  const isOpen = useHasKey(service.id);
  const customer = useRead(customerQuery(service.id, connectionId));
  return (
    <Loaded of={customer} height={300}>
      {(found) => (
        <Page
          title={found.display_name}
          lead={
            <TextLink
              to="/portal/services/$serviceId/customers/$connectionId"
              params={{ serviceId: service.id, connectionId }}
            >
              {t('inbox.customer')}
            </TextLink>
          }
          back={
            <BackLink to="/portal/messages" search={{ service: service.id, ...list }}>
              {t('inbox.all')}
            </BackLink>
          }
        >
          <Standing service={service} connectionId={connectionId} />
          {isOpen ? (
            <CustomerMessages serviceId={service.id} customer={found} />
          ) : (
            <ServiceKeyForm serviceId={service.id} title={t('inbox.open')} />
          )}
          <SameByApi {...sameCalls.customerMessages(service.id, connectionId)} />
        </Page>
      )}
    </Loaded>
  );
}

/** Who looks after the thread, and whether it is done. Who only views changes neither. */
function Standing({ service, connectionId }: Props) {
  const thread = useRead(threadQuery(service.id, connectionId));
  const may = mayAs(usePortalLogin(), 'support');
  return (
    <Loaded of={thread} height={60}>
      {(found) => may && found !== null && <Acts service={service} thread={found} />}
    </Loaded>
  );
}

function Acts({ service, thread }: { service: Service; thread: InboxThread }) {
  const { t } = usePortalText();
  const { login } = usePortalLogin();
  const { found: team = [] } = useRead(delegatesQuery);
  const { busy, error, run } = useAct();
  const { connection_id: id, assigned_to: by, state } = thread;
  const members = team.filter(({ status, role }) => status === 'active' && isAtLeast(role, 'support'));
  const known = by === null || members.some((each) => each.id === by.id) ? members : [...members, by];
  const own = known.filter((each) => each.id === login.id);
  const others = known.filter((each) => each.id !== login.id);
  return (
    <>
      <Group align="end">
        <NativeSelect
          label={t('inbox.assignee')}
          size="md"
          autoComplete="off"
          disabled={busy}
          data={[
            { value: '', label: t('inbox.nobody') },
            ...[...own, ...others].map((each) => ({ value: each.id, label: each.name || '' })),
          ]}
          value={by?.id ?? ''}
          onChange={({ currentTarget: { value } }) =>
            run(() => assignThread(service.id, id, value === '' ? null : value))
          }
        />
        <Button
          variant={state === 'open' ? 'filled' : 'default'}
          loading={busy}
          onClick={() => run(() => setThreadState(service.id, id, state === 'open' ? 'done' : 'open'))}
        >
          {t(state === 'open' ? 'inbox.done' : 'inbox.again')}
        </Button>
      </Group>
      <Problem error={error} />
    </>
  );
}
