import { List } from '@mantine/core';
import { documentActs } from '@symbolon/sdk/device';
import type { ReactNode } from 'react';
import { Section } from '../../parts/section.tsx';
import { AcceptForm, SignForm } from '../../parts/sign-forms.tsx';
import { type Asked, isCancellable } from '../../platform/document-states.ts';
import { accept, type Opened, type Read, sign } from '../../platform/documents.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';

type Props = {
  asked: Asked;
  opened: Opened;
  session: SignedIn;
  done: (document: Read) => void;
  /** Whether it cannot be done yet; what stands in it says why. */
  waits: boolean;
  children: ReactNode;
};

/** Signing or accepting what is shown: what that means, then the proof that the person is present. */
export function ActSection({ asked, opened, session, done, waits, children }: Props) {
  const { t } = useInsideText();
  const { name } = opened.document;
  return (
    <div id="act">
      <Section title={t(`documents.${asked}.title`, { name })}>
        <List size="sm">
          {meanings(opened, asked).map((key) => (
            <List.Item key={key}>{t(key, { company: opened.document.company.display_name })}</List.Item>
          ))}
        </List>
        {children}
        {asked === 'sign' ? (
          <SignForm
            name={name}
            act={documentActs.sign(opened)}
            waits={waits}
            signerName={session.person.display_name}
            sign={async (signer, proof) => done(await sign(opened, signer, proof))}
          />
        ) : (
          <AcceptForm
            name={name}
            act={documentActs.accept(opened)}
            waits={waits}
            accept={async (proof) => done(await accept(opened, proof))}
          />
        )}
      </Section>
    </div>
  );
}

function meanings({ document, content }: Opened, asked: Asked) {
  const isSealed = content.kind === 'file' && document.plain_sha256 !== null;
  return [
    `documents.${asked}.means`,
    `documents.${asked}.told`,
    ...(isSealed ? (['documents.act.sealed'] as const) : []),
    isCancellable({ ...document, status: 'active' }) ? 'documents.act.cancellable' : 'documents.act.final',
  ] as const;
}
