import { Stack, Text } from '@mantine/core';
import type { Decision, PersonConnection } from '@symbolon/protocol';
import { checkLink, codeOf, ForbiddenError } from '@symbolon/sdk/device';
import { type ReactNode, useState } from 'react';
import { sealAnswers } from '../platform/answers.ts';
import type { Fields, OpenField } from '../platform/fields.ts';
import type { Proof } from '../platform/presence.ts';
import { actOf, type Codes, type Wanted } from '../platform/requests.ts';
import type { SignedIn } from '../platform/session.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { firstPicks, pickedOf, rowAsked } from './answers/asked.ts';
import { FieldChoices } from './answers/field-choices.tsx';
import { ShareButtons } from './answers/share-buttons.tsx';
import { useOpenFields } from './answers/use-open-fields.ts';
import { usePicked } from './answers/use-picked.ts';
import { ChangedKey, isChangedKey } from './changed-key.tsx';
import { Loaded } from './loaded.tsx';
import { Problem, useAct } from './problem.tsx';
import { ProofForm } from './proof-form.tsx';

type Props = {
  wanted: Wanted;
  /** By which the person chose the service. */
  codes: Codes;
  session: SignedIn;
  /** Connects: called again with a proof where the service wants one. */
  connect: (decisions: readonly Decision[], proof?: Proof) => Promise<PersonConnection>;
  connected: (connection: PersonConnection) => void;
  /** The other ways out. @param isBusy while it is connected */
  others: (isBusy: boolean) => ReactNode;
};

/** What a service wants to know of those who connect, answered by the person's fields; then the one button. */
export function Connecting(props: Props) {
  const needsFields = props.wanted.request_fields.length > 0;
  const { added, ...read } = useOpenFields(needsFields);
  if (!needsFields) return <Deciding {...props} added={added} fields={undefined} />;
  return (
    <Loaded of={read} height={140}>
      {(fields) => <Deciding {...props} added={added} fields={fields} />}
    </Loaded>
  );
}

function Deciding(props: Props & { fields: Fields | undefined; added: (field: OpenField) => void }) {
  const { wanted, codes, session, connect, others, fields, added } = props;
  const { t, count } = useInsideText();
  const { busy, error, run, clear } = useAct();
  const [proving, setProving] = useState<readonly Decision[]>();
  const company = wanted.company.display_name;
  const asked = wanted.request_fields.map((row) => rowAsked(row, wanted));
  const first = () => (fields ? firstPicks(asked, fields) : new Map());
  const picks = usePicked(wanted.service.id, asked, fields, first, clear);
  const { picked } = picks;
  const personId = session.person.person_user_id;
  const connected = async (connection: PersonConnection) => {
    const { keepOwner } = await import('../platform/known-keys.ts');
    await keepOwner(personId, connection.connection_id, wanted.service.id);
    picks.drop();
    props.connected(connection);
  };
  const share = () =>
    run(async () => {
      const { service } = wanted;
      await checkLink({ keyPrefix: codes.key }, service.public_key);
      const chosen = { isNew: true, isProven: codes.key !== undefined };
      const rows = pickedOf('row', asked, picked);
      const decisions = await sealAnswers(
        personId,
        { service, ...chosen, of: codeOf(codes.company, codes.service) },
        rows,
      );
      try {
        await connected(await connect(decisions));
      } catch (failure) {
        if (!wantsProof(failure)) throw failure;
        setProving(decisions);
      }
    });
  const label =
    picked.size === 0
      ? t('requests.connect', { company })
      : count('requests.share', picked.size, { company });
  return (
    <>
      <FieldChoices asked={asked} fields={fields} picks={picks} added={added} />
      <Stack gap="xs">
        <Text fw={600}>{t('consent.follows')}</Text>
        <Text size="sm">{t('consent.follows.shareCode', { app: company })}</Text>
        <Text size="sm">{t('consent.follows.connect', { company })}</Text>
        {asked.length > 0 && <Text size="sm">{t('consent.follows.sealed', { app: company })}</Text>}
      </Stack>
      {isChangedKey(error) ? (
        <ChangedKey
          error={error}
          named={{ kind: 'service', id: wanted.service.id, publicKey: wanted.service.public_key }}
          name={company}
          company={company}
          label={t('keys.confirm')}
          confirmed={share}
        />
      ) : (
        <Problem error={error} />
      )}
      {proving === undefined ? (
        <ShareButtons label={label} share={share} busy={busy} asked={asked} picked={picked}>
          {others(busy)}
        </ShareButtons>
      ) : (
        <ProofForm
          act={actOf(wanted)}
          strong
          label={label}
          prove={async (proof) => await connected(await connect(proving, proof))}
          cancel={() => setProving(undefined)}
        />
      )}
    </>
  );
}

function wantsProof(error: unknown): boolean {
  return error instanceof ForbiddenError && error.errorKey === 'connections.two_factor_required';
}
