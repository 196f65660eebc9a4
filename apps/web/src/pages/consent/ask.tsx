import { Button, Skeleton } from '@mantine/core';
import type { NamedKey, SymbolonError } from '@symbolon/sdk/device';
import { lazy, Suspense, useState } from 'react';
import { type Asked, firstPicks } from '../../parts/answers/asked.ts';
import { ShareButtons } from '../../parts/answers/share-buttons.tsx';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { usePicked } from '../../parts/answers/use-picked.ts';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { askedOf, withPicked } from '../../parts/consent/asked.ts';
import { useShareLabel, WhatFollows } from '../../parts/consent/what-follows.tsx';
import { WhoAsks } from '../../parts/consent/who-asks.tsx';
import { Panel } from '../../parts/frame.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { SignedInAs } from '../../parts/signed-in-as.tsx';
import {
  actOf,
  approve,
  type Begun,
  type Decided,
  type Decision,
  leave,
  type Request,
  refuse,
  sealDecision,
} from '../../platform/consent.ts';
import type { Fields, OpenField } from '../../platform/fields.ts';
import { useSession } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

/* What only some requests need. */
const choices = () => import('../../parts/answers/field-choices.tsx');
const digits = () => import('../../parts/digits.tsx');
const proof = () => import('../../parts/proof-form.tsx');
const FieldChoices = lazy(() => choices().then(({ FieldChoices }) => ({ default: FieldChoices })));
const Digits = lazy(() => digits().then(({ Digits }) => ({ default: Digits })));
const ProofForm = lazy(() => proof().then(({ ProofForm }) => ({ default: ProofForm })));

/** Loads what a request needs, while the person signs in or is asked for: nobody waits for it later. */
export async function loadParts({ claims, connect, needs }: Request): Promise<void> {
  await Promise.allSettled([
    (claims.length > 0 || connect !== null) && choices(),
    needs.digits && digits(),
    (needs.presence || needs.two_factor) && proof(),
  ]);
}

type Props = {
  request: Request;
  begun: Begun;
  notMe: boolean;
  /** The address of this page, where another person answers. */
  here: string;
  over: (how: 'shared' | 'declined') => void;
};

/** What is asked, what follows, and the decision. */
export function Ask(props: Props) {
  const { request, begun } = props;
  const { t } = useText();
  const asked = askedOf(request, begun, new URL(props.here, location.origin).searchParams.get('state'));
  const needsFields = asked.length > 0;
  const { added, ...read } = useOpenFields(needsFields);
  const answering = { ...props, asked, added };
  return (
    <Panel>
      <WhoAsks request={request} title={t(`consent.title.${request.mode}`, { app: request.app.name })} />
      {needsFields ? (
        <Loaded of={read} height={140}>
          {(fields) => <Answering {...answering} fields={fields} />}
        </Loaded>
      ) : (
        <Answering {...answering} fields={undefined} />
      )}
      <SignedInAs next={props.here} />
    </Panel>
  );
}

type AnsweringProps = Props & {
  asked: readonly Asked[];
  fields: Fields | undefined;
  added: (field: OpenField) => void;
};

function Answering(props: AnsweringProps) {
  const { request, begun, asked, fields, added, over } = props;
  const { t } = useText();
  const session = useSession();
  const personId = session.state === 'in' ? session.person.person_user_id : '';
  const { busy, error, run, clear } = useAct();
  const first = () => (fields === undefined ? new Map() : firstPicks(asked, fields, begun.remembered));
  const picks = usePicked(request.app.client_id, asked, fields, first, clear);
  const { picked } = picks;
  const [typedDigits, setTypedDigits] = useState('');
  const typed = request.needs.digits ? { digits: typedDigits } : {};
  const [proving, setProving] = useState<{ decision: Decision; act: string }>();
  const finish = (decided: Decided, how: 'shared' | 'declined') => {
    picks.drop();
    if ('redirect_to' in decided) leave(decided);
    else over(how);
  };
  const share = () =>
    run(async () => {
      const choices = withPicked(asked, picked);
      const { requireKeys } = await import('../../platform/known-keys.ts');
      await requireKeys(personId, request, { isConnected: begun.connected, choices });
      const decision = await sealDecision(request, choices);
      if (request.needs.presence || request.needs.two_factor) {
        setProving({ decision, act: await actOf(request, decision) });
      } else {
        finish(await approve(request, decision, typed), 'shared');
      }
    });
  const decline = () => run(async () => finish(await refuse(request, props.notMe), 'declined'));
  const label = useShareLabel(request, picked.size);
  return (
    // Nobody shares before what is shared is on the page.
    <Suspense fallback={<Skeleton h={140} radius={8} />}>
      {asked.length > 0 && <FieldChoices asked={asked} fields={fields} picks={picks} added={added} />}
      {request.needs.digits && (
        <Digits
          label={t('consent.digits')}
          value={typedDigits}
          change={(next) => {
            clear();
            setTypedDigits(next);
          }}
        />
      )}
      <WhatFollows request={request} enrolled={begun.enrolled} asked={asked} />
      {isChangedKey(error) ? (
        <ChangedKey error={error} {...keyOf(error, request)} label={t('keys.confirm')} confirmed={share} />
      ) : (
        <Problem error={error} />
      )}
      {proving === undefined ? (
        <ShareButtons label={label} share={share} busy={busy} asked={asked} picked={picked}>
          <Button variant="default" onClick={decline} disabled={busy}>
            {t('consent.decline')}
          </Button>
        </ShareButtons>
      ) : (
        <Suspense fallback={<Skeleton h={44} radius={8} />}>
          <ProofForm
            act={proving.act}
            strong={request.needs.two_factor}
            label={label}
            prove={async (given) =>
              finish(await approve(request, proving.decision, { ...typed, proof: given }), 'shared')
            }
            cancel={() => setProving(undefined)}
          />
        </Suspense>
      )}
    </Suspense>
  );
}

/** Which key of a request has changed. */
function keyOf({ errorKey }: SymbolonError, { app, connect, company }: Request) {
  const whom = { company: company.display_name };
  if (errorKey !== 'sdk.service_key_changed') {
    const named: NamedKey = { kind: 'app', id: app.client_id, publicKey: app.public_key ?? '' };
    return { ...whom, named, name: app.name };
  }
  const { id = '', public_key: publicKey = '' } = connect?.service ?? {};
  const named: NamedKey = { kind: 'service', id, publicKey };
  return { ...whom, named, name: company.display_name };
}
