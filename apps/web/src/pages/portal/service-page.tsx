import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageTitle } from '../../parts/frame.tsx';
import { PortalPage } from '../../parts/portal/portal-page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useRead } from '../../parts/read.ts';
import { TextLink } from '../../parts/text-link.tsx';
import { readService } from '../../platform/portal/services.ts';
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
  const { found: service, error, load } = useRead(useCallback(() => readService(serviceId), [serviceId]));
  return (
    <Stack gap="lg">
      <Group>
        <TextLink to="/portal" size="sm">
          {t('portal.services')}
        </TextLink>
      </Group>
      {error !== undefined && <Problem error={error} retry={load} />}
      {service === undefined && error === undefined && <Skeleton h={120} radius={8} />}
      {service !== undefined && (
        <>
          <Facts {...service} />
          <FlowsSection serviceId={service.id} />
          <WebhooksSection serviceId={service.id} />
        </>
      )}
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
