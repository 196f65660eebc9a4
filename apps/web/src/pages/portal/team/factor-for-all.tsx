import { List as Bullets, Stack, Text } from '@mantine/core';
import type { SignInPolicy } from '@symbolon/protocol';
import { IconShieldLock } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { ProofForm } from '../../../parts/proof-form.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { proverOf } from '../../../platform/portal/presence.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { POLICY_ACT, setSignInPolicy, signInPolicyQuery } from '../../../platform/portal/sign-in-policy.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';

/** Whether everybody of the team needs a second factor; an admin changes it. */
export function FactorForAll() {
  const { t, count } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'admin');
  const read = useRead(signInPolicyQuery);
  return (
    <Group title={t('factor.title')} lead={t('factor.lead')}>
      <Loaded of={read} height={72}>
        {(policy) => {
          const isRequired = policy.second_factor === 'required';
          const { length: left } = policy.without_second_factor;
          const row = {
            leading: <IconTile icon={IconShieldLock} tone={isRequired ? 'accent' : 'neutral'} />,
            title: t(isRequired ? 'factor.required' : 'factor.optional'),
            detail: left === 0 ? t('factor.without.none') : count('factor.without', left),
            trailing: isRequired ? <Status tone="good">{t('factor.on')}</Status> : undefined,
          };
          return (
            <List>
              {mayEdit ? (
                <RowSheet heading={t('factor.title')} {...row}>
                  {(close) => <Changing policy={policy} close={close} done={read.load} />}
                </RowSheet>
              ) : (
                <Row {...row} />
              )}
            </List>
          );
        }}
      </Loaded>
    </Group>
  );
}

function Changing({
  policy,
  close,
  done,
}: {
  policy: SignInPolicy;
  close: () => void;
  done: () => Promise<void>;
}) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  const { second_factor: rule, tried: isTried, without_second_factor: without } = policy;
  const next = rule === 'required' ? 'optional' : 'required';
  if (next === 'required' && !isTried) {
    return (
      <Stack>
        <Text size="sm">{t('factor.try')}</Text>
        <TextLink to="/portal/sign-in-means">{t('signInMeans.title')}</TextLink>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text size="sm">{t(`factor.to.${next}`)}</Text>
      {next === 'required' && without.length > 0 && (
        <>
          <Text size="sm">{t('factor.stopped')}</Text>
          <Bullets size="sm">
            {without.map(({ id, name, email }) => (
              <Bullets.Item key={id}>{name === '' ? email : `${name}, ${email}`}</Bullets.Item>
            ))}
          </Bullets>
        </>
      )}
      <ProverContext value={prover}>
        <ProofForm
          act={POLICY_ACT}
          label={t(`factor.act.${next}`)}
          prove={async (proof) => {
            await setSignInPolicy(next, proof);
            await done();
            close();
          }}
          cancel={close}
        />
      </ProverContext>
    </Stack>
  );
}
