import { Button, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import {
  makeServiceKey,
  publishRequestFields,
  requestFieldsQuery,
  type ServiceKey,
} from '../../../platform/portal/services.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { KeysStep } from './keys-step.tsx';
import { rowsOf, type TemplateName, templateNames } from './templates.ts';

export function NewServicePage() {
  return (
    <PortalPage>
      <NewService />
    </PortalPage>
  );
}

interface About {
  readonly name: string;
  readonly email: string;
  readonly template: TemplateName;
}

/** What it is, then its keys; what the template asks is published with it. */
function NewService() {
  const { t, maybe } = usePortalText();
  const { login } = usePortalLogin();
  const navigate = useNavigate();
  const form = useKeptForm<About>('service', () => ({ name: '', email: login.email, template: 'club' }));
  const [about, setAbout] = useState<About>();
  const [key, setKey] = useState<ServiceKey>();
  return (
    <Page
      title={about && key ? t('services.new.keys', { name: about.name }) : t('services.new')}
      lead={about && key ? t('services.new.keys.text') : t('services.new.lead')}
      back={<BackLink to="/portal/services">{t('portal.services')}</BackLink>}
    >
      {about && key ? (
        <KeysStep
          name={about.name}
          adminEmail={about.email}
          serviceKey={key}
          made={async ({ id }) => {
            form.drop();
            const { template } = about;
            const rows = rowsOf(template, (name) => ({
              label: t(`template.field.${name}`),
              reason: maybe(`template.reason.${template}.${name}`),
            }));
            if (rows.length > 0) {
              const { config_token: token } = await requestFieldsQuery(id).read(undefined);
              await publishRequestFields(id, rows, token);
            }
            await navigate({ to: '/portal/services/$serviceId/asks', params: { serviceId: id } });
          }}
        />
      ) : (
        <AboutForm
          about={form.value}
          change={form.change}
          next={async (given) => {
            setKey(await makeServiceKey());
            setAbout(given);
          }}
        />
      )}
      <SameByApi {...sameCalls.newService} />
    </Page>
  );
}

function AboutForm(props: {
  about: About;
  change: (part: Partial<About>) => void;
  next: (about: About) => Promise<void>;
}) {
  const { about, change, next } = props;
  const { name, email, template } = about;
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(() => next({ name: name.trim(), email: email.trim(), template }));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('services.new.name')}
          description={t('services.new.name.hint')}
          autoComplete="off"
          required
          maxLength={100}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('services.new.email')}
          description={t('services.new.email.hint')}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <Radio.Group
          label={t('services.new.kind')}
          value={template}
          onChange={(chosen) => change({ template: chosen as TemplateName })}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" spacing="sm">
            {templateNames.map((each) => (
              <Radio
                key={each}
                value={each}
                label={t(`template.${each}`)}
                description={t(`template.${each}.text`)}
              />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <Problem error={error} />
        <Button type="submit" loading={busy} style={{ alignSelf: 'flex-start' }}>
          {t('services.new.make')}
        </Button>
      </Stack>
    </form>
  );
}
