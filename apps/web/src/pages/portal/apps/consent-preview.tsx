import { Button, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ClaimConfig, ConsentClaim, OAuthApp, StandardClaim } from '@symbolon/protocol';
import { type ReactNode, useState } from 'react';
import { AskedHead } from '../../../parts/answers/asked-head.tsx';
import { claimAsked } from '../../../parts/consent/asked.ts';
import { useShareLabel, WhatFollows } from '../../../parts/consent/what-follows.tsx';
import { WhoAsks } from '../../../parts/consent/who-asks.tsx';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { usePortalText } from '../../../text/portal/index.tsx';
import classes from './consent-preview.module.css';

/** What of an app is seen when people sign in to it. */
export type Seen = Pick<
  OAuthApp,
  'name' | 'redirect_uris' | 'claims_delivery' | 'claim_config' | 'public_key'
>;

/** A form, and beside it what people see of what is typed. */
export function WithConsentPreview({ app, children }: { app: Seen; children: ReactNode }) {
  return (
    <div className={classes.both}>
      {children}
      <ConsentPreview app={app} />
    </div>
  );
}

/** The page on which people consent, of the parts that it is made of, for a sign-in that asks for name and address. */
function ConsentPreview({ app }: { app: Seen }) {
  const { t } = usePortalText();
  const { company } = usePortalLogin();
  const labelOf = useFieldLabel();
  const [width, setWidth] = useState<'desk' | 'phone'>(() =>
    matchMedia('(max-width: 36em)').matches ? 'phone' : 'desk',
  );
  const origins = [...new Set(app.redirect_uris.flatMap(originOf))];
  const name = app.name.trim() || t('apps.look.noName');
  const request = {
    mode: 'oidc',
    app: { name, origin: origins[0] ?? t('apps.look.noAddress') },
    company: {
      display_name: company.name,
      company_code: company.company_code,
      since: company.created_at,
    },
    service: null,
  } as const;
  const asked = claimsOf(app).map((claim) => claimAsked(claim));
  const label = useShareLabel(request, asked.length);
  return (
    <section className={classes.preview} aria-label={t('apps.look')}>
      <Stack gap={4}>
        <Text fw={600}>{t('apps.look')}</Text>
        <Text size="sm" c="dimmed">
          {t('apps.look.text')}
        </Text>
      </Stack>
      <SegmentedControl
        aria-label={t('apps.look.width')}
        value={width}
        onChange={(next) => setWidth(next as typeof width)}
        data={(['desk', 'phone'] as const).map((each) => ({ value: each, label: t(`apps.look.${each}`) }))}
      />
      <div className={classes.screen} data-width={width} data-testid="consent-preview">
        <div className={classes.card}>
          <WhoAsks request={request} title={t('consent.title.oidc', { app: name })} isPicture />
          {asked.map((each) => (
            <Stack key={each.key} gap={2}>
              <AskedHead asked={each} label={labelOf.asked(each, { rows: [] })} />
              <Text size="sm" c="dimmed">
                {t('apps.look.answer')}
              </Text>
            </Stack>
          ))}
          <WhatFollows request={request} enrolled={false} asked={asked} />
          {/* Only pictures of the buttons. */}
          <Stack gap="sm">
            <Button component="span" fullWidth>
              {label}
            </Button>
            <Button component="span" fullWidth variant="default">
              {t('consent.decline')}
            </Button>
          </Stack>
        </div>
      </div>
      {origins.length > 1 && (
        <Text size="sm" c="dimmed">
          {t('apps.look.origins', { origins: origins.join(', ') })}
        </Text>
      )}
    </section>
  );
}

const STANDARD = [
  ['name', 'text'],
  ['email', 'email'],
] as const satisfies readonly (readonly [StandardClaim, string])[];

/** The claims of `scope=openid profile email`; an app without a key is given none that would be sealed. */
function claimsOf({
  claim_config: config,
  claims_delivery: delivery,
  public_key: key,
}: Seen): ConsentClaim[] {
  if (key === null && delivery !== 'plaintext') return [];
  return STANDARD.map(([name, type]) => ({
    name,
    type,
    label: null,
    suggest: null,
    ...rulesOf(config, name),
    delivery: delivery === 'plaintext' ? 'plaintext' : 'wrapper',
  }));
}

function rulesOf(config: ClaimConfig, claim: StandardClaim) {
  const rule = config.find(({ name }) => name === claim);
  return {
    required: rule?.required ?? false,
    verified: rule?.verified ?? false,
    verified_max_age_days: rule?.verified_max_age_days ?? null,
  };
}

/** What people see of an address: its origin, or the scheme of an installed app. */
function originOf(uri: string): string[] {
  if (!URL.canParse(uri)) return [];
  const { origin, protocol } = new URL(uri);
  return [origin === 'null' ? protocol : origin];
}
