/** Who came to the company in the month before the story, and what they did: for looking around. */

export interface Guest {
  readonly name: string;
  readonly login: string;
  /** What they keep, by the row that it answers. */
  readonly fullName: string;
  readonly phone: string;
  readonly country: string;
}

export const guests = {
  lena: {
    name: 'Lena',
    login: 'lena@login.example',
    fullName: 'Lena Marie Brandt',
    phone: '+49405550111',
    country: 'DE',
  },
  tomas: {
    name: 'Tomás',
    login: 'tomas@login.example',
    fullName: 'Tomás Ibarra',
    phone: '+34915550122',
    country: 'ES',
  },
  priya: {
    name: 'Priya',
    login: 'priya@login.example',
    fullName: 'Priya Raman',
    phone: '+912255500133',
    country: 'IN',
  },
  noah: {
    name: 'Noah',
    login: 'noah@login.example',
    fullName: 'Noah Vermeer',
    phone: '+31205550144',
    country: 'NL',
  },
  elif: {
    name: 'Elif',
    login: 'elif@login.example',
    fullName: 'Elif Aydın',
    phone: '+902125550155',
    country: 'TR',
  },
  marek: {
    name: 'Marek',
    login: 'marek@login.example',
    fullName: 'Marek Nowicki',
    phone: '+48225550166',
    country: 'PL',
  },
} as const satisfies Readonly<Record<string, Guest>>;

export type GuestKey = keyof typeof guests;

/** What happened so many days before the story. */
export type Happening = { readonly day: number } & (
  | { readonly who: GuestKey; readonly does: 'join' | 'leave' }
  | { readonly who: GuestKey; readonly does: 'edit'; readonly phone: string }
  | { readonly who: GuestKey; readonly does: 'write'; readonly text: string; readonly answer?: string }
  | { readonly does: 'webhook' }
);

/** When the company registered. */
export const MONTH_DAYS = 30;

/** Oldest first. */
export const happenings: readonly Happening[] = [
  { day: 28, who: 'lena', does: 'join' },
  { day: 25, who: 'tomas', does: 'join' },
  { day: 22, who: 'priya', does: 'join' },
  { day: 18, who: 'tomas', does: 'edit', phone: '+34915550188' },
  { day: 16, who: 'noah', does: 'join' },
  {
    day: 13,
    who: 'lena',
    does: 'write',
    text: 'May I bring the city bike back on Sunday?',
    answer: 'Yes. The door beside the shop takes bikes at any hour.',
  },
  { day: 10, who: 'elif', does: 'join' },
  { day: 8, who: 'noah', does: 'leave' },
  { day: 6, who: 'marek', does: 'join' },
  { day: 3, does: 'webhook' },
  { day: 2, who: 'elif', does: 'write', text: 'My lock does not open since this morning. What can I do?' },
  { day: 1, who: 'priya', does: 'edit', phone: '+912255500177' },
];
