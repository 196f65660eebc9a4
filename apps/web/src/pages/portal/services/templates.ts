import type { RequestFieldInput } from '@symbolon/protocol';

/** What a service of a kind asks for, to begin with. */
export const TEMPLATES = {
  empty: [],
  club: [
    asked('name', 'text', true),
    asked('email', 'email', true),
    asked('phone', 'phone'),
    asked('address', 'address', true),
    asked('birth', 'date_of_birth'),
  ],
  shop: [asked('email', 'email', true), asked('delivery', 'address', true), asked('phone', 'phone')],
  clinic: [
    asked('name', 'text', true),
    asked('birth', 'date_of_birth', true),
    asked('phone', 'phone', true),
    asked('email', 'email'),
  ],
  landlord: [
    asked('email', 'email', true),
    asked('phone', 'phone', true),
    asked('identity', 'proof_of_identity', true),
    asked('bank', 'bank'),
  ],
} as const;

export type TemplateName = keyof typeof TEMPLATES;
export const templateNames = Object.keys(TEMPLATES) as TemplateName[];
type Asked = ReturnType<typeof asked>;

function asked<
  Name extends 'name' | 'email' | 'phone' | 'address' | 'delivery' | 'birth' | 'identity' | 'bank',
>(name: Name, type: string, isRequired = false) {
  return { name, type, isRequired } as const;
}

/** @param wordsOf what people read: the question, and why it is asked */
export function rowsOf(
  template: TemplateName,
  wordsOf: (name: Asked['name']) => { label: string; reason: string | undefined },
): RequestFieldInput[] {
  return TEMPLATES[template].map(({ name, type, isRequired }) => {
    const { label, reason } = wordsOf(name);
    return {
      slug: name,
      label,
      type,
      ...(reason !== undefined && { reason }),
      ...(isRequired && { mandatory_provide: true, mandatory_connected: true }),
    };
  });
}
