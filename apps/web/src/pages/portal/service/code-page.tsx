import { Button, Group, Stack, Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { connectLink } from '@symbolon/sdk/device';
import { IconPrinter } from '@tabler/icons-react';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { QrCode } from '../../../parts/qr-code.tsx';
import { wordsQuery } from '../../../platform/portal/recovery-key.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group as Part } from '../../../ui/group.tsx';
import { Page } from '../../../ui/page.tsx';
import classes from './code-page.module.css';
import { ServiceFrame } from './service-frame.tsx';
import { TestPerson } from './test-person.tsx';

export function CodePage() {
  return <ServiceFrame>{(service) => <Code {...service} />}</ServiceFrame>;
}

/** How people come to the service: a picture, a link and a code, which lead to the same question. */
function Code(service: Service) {
  const { id, name, company_code: company, share_code: code, public_key_sha256: sha256 } = service;
  const { t } = usePortalText();
  const mayTry = mayAs(usePortalLogin(), 'developer') && service.audience !== 'company';
  const words = useRead(wordsQuery(sha256)).found;
  // The beginning of the key's fingerprint is not sent: the person's device compares it.
  const link = connectLink(location.origin, { companyCode: company, serviceCode: code, fingerprint: sha256 });
  return (
    <Page title={t('code.title', { name })} lead={t('code.lead')}>
      <Part title={t('code.qr', { name })}>
        <div className={classes.card}>
          <QrCode text={link} label={t('code.qr', { name })} />
          <div className={classes.words}>
            <Text fw={700} size="xl">
              {name}
            </Text>
            <Text ff="monospace" size="lg">
              {company}/{code}
            </Text>
            <Text size="sm" c="dimmed" className={classes.link ?? ''}>
              {link}
            </Text>
          </div>
        </div>
        <Group className={classes.acts ?? ''}>
          <Button
            leftSection={<IconPrinter size={18} aria-hidden="true" />}
            variant="default"
            onClick={() => window.print()}
          >
            {t('code.print')}
          </Button>
          <CopyButton value={link} label={t('code.link')} />
          <CopyButton value={`${company}/${code}`} label={t('code.code')} />
        </Group>
      </Part>
      <Part title={t('code.words')}>
        <Stack gap={4} className={classes.acts ?? ''}>
          <Text fw={600}>{words ?? '…'}</Text>
          <Text size="sm" c="dimmed">
            {t('code.words.text')}
          </Text>
        </Stack>
      </Part>
      {mayTry && (
        <div className={classes.try}>
          <TestPerson key={id} service={service} />
        </div>
      )}
      <SameByApi {...sameCalls.service(id)} />
    </Page>
  );
}
