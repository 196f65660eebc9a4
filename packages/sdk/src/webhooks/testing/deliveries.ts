import { createHmac } from 'node:crypto';
import type { ChangeEvent } from '@symbolon/protocol';

export const SECRET = 'whsec-Zm9yIHRlc3Rz-ü';
export const WEBHOOK_ID = '0199aa00-0000-7000-8000-000000000001';

/** A `field_updated` event whose value needs every escape that XML has. */
export function fieldUpdated(members: Partial<ChangeEvent> = {}): ChangeEvent {
  return {
    id: '0199aa00-0000-7000-8000-0000000000aa',
    event: 'field_updated',
    person_user_id: '0199aa00-0000-7000-8000-0000000000bb',
    share_code: null,
    at: '2026-01-02T03:04:05.678Z',
    customer_type: 'person',
    slug: 'email',
    live: true,
    value: '{"_enc":1,"k":"a+/=","iv":"<&>","d":"\'&amp;lt; ü 😀"}',
    ...members,
  };
}

/** A completed contract: booleans and members that are null. */
export function documentSigned(): ChangeEvent {
  const members = {
    document_id: '0199aa00-0000-7000-8000-0000000000dd',
    status: 'active',
    action: 'signed',
    method: 'biometric',
    content_sha256: 'ab'.repeat(32),
    signed_at: '2026-01-02T03:04:05.000Z',
    cancel_effective_date: null,
    sealed_at: '2026-01-02T03:04:05.100Z',
    plain_sha256: null,
    signer_first_name: 'Ada',
    signer_last_name: '',
    signer_name_verified: false,
    note: null,
  };
  const { slug, live, value, ...common } = fieldUpdated({
    event: 'document_status_changed',
    share_code: 'ADA1',
  });
  return { ...common, ...members };
}

/** A delivery as the platform makes it for a webhook with the authentication `hmac`. */
export function signed(
  content: ChangeEvent | string | Uint8Array,
  secret = SECRET,
): { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } {
  const isEvent = typeof content === 'object' && !(content instanceof Uint8Array);
  const body = Uint8Array.from(
    isEvent ? Buffer.from(JSON.stringify(content)) : Buffer.from(content as string),
  );
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-platform-webhook-id': WEBHOOK_ID,
    'x-platform-signature': signature,
  };
  return { body, headers };
}
