import { Group, Stack, Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { useParams } from '@tanstack/react-router';
import { PageTitle } from '../../parts/frame.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PortalPage } from '../../parts/portal/portal-page.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { serviceQuery } from '../../platform/portal/services.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { FlowsSection } from './flows-section.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';

export function ServicePage() {
  return (
    <PortalPage>
      <About />
    </PortalPage>
  );
}

function About() {
  const { t } = usePortalText();
  const { serviceId } = useParams({ from: '/portal/services/$serviceId' });
  return (
    <Stack gap="lg">
      <Group>
        <TextLink to="/portal" size="sm">
          {t('portal.services')}
        </TextLink>
      </Group>
      <Loaded of={useRead(serviceQuery(serviceId))}>
        {(service) => (
          <>
            <Facts {...service} />
            <FlowsSection serviceId={service.id} />
            <WebhooksSection serviceId={service.id} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Facts({
  name,
  company_code: company,
  share_code: code,
  connection_count: count,
  audience,
}: Service) {
  const { t, count: counted } = usePortalText();
  return (
    <Stack gap={6}>
      <PageTitle>{name}</PageTitle>
      <Text c="dimmed">
        {[`${company}/${code}`, counted('portal.connections', count), t(`portal.audience.${audience}`)].join(
          ' · ',
        )}
      </Text>
    </Stack>
  );
}
