import { useNavigate } from '@tanstack/react-router';
import { RecoveryCodeSheet } from '../../../parts/recovery-code.tsx';
import type { MadeLogin } from '../../../platform/portal/ways-in.ts';

/** The recovery code of a login, then the portal; the sign-in, where the login has a second factor. */
export function NewLogin({ email, made }: { email: string; made: MadeLogin }) {
  const navigate = useNavigate();
  return (
    <RecoveryCodeSheet
      email={email}
      code={made.recoveryCode}
      finish={async () => {
        const second = await made.finish();
        await navigate({ to: second === undefined ? '/portal' : '/portal/sign-in' });
      }}
    />
  );
}
