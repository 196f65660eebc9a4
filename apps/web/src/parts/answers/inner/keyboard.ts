import { hasDigitCodes } from '../../../platform/addresses.ts';

/** What a browser may fill in, and the keyboard that a phone opens. */
export type Keyboard = {
  autoComplete: string;
  inputMode?: 'tel' | 'email' | 'url' | 'numeric' | 'decimal';
  /** Codes are written in capitals; addresses of the net are not. */
  autoCapitalize?: 'characters' | 'words' | 'none';
  /** False where no dictionary has what is typed. */
  spellCheck?: false;
};

const CODE = { autoCapitalize: 'characters', spellCheck: false } as const;
const NET = { autoCapitalize: 'none', spellCheck: false } as const;

/** By type, parents among them: the nearest type that is named here decides. */
const TYPES: Readonly<Record<string, Keyboard>> = {
  email: { autoComplete: 'email', inputMode: 'email', ...NET },
  phone: { autoComplete: 'tel', inputMode: 'tel' },
  url: { autoComplete: 'url', inputMode: 'url', ...NET },
  country: { autoComplete: 'country-name' },
  personal_number: { autoComplete: 'on', ...CODE },
  place_of_birth: { autoComplete: 'on', autoCapitalize: 'words' },
  gender: { autoComplete: 'sex' },
  date_of_birth: { autoComplete: 'bday' },
  integer: { autoComplete: 'on', inputMode: 'numeric' },
  number: { autoComplete: 'on', inputMode: 'decimal' },
};
/** By the composite type and its member. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Keyboard>>>> = {
  address: {
    // `street-address` is of several lines, which an input has not.
    street: { autoComplete: 'address-line1' },
    affix: { autoComplete: 'address-line2' },
    city: { autoComplete: 'address-level2' },
    // Letters stand in it in many countries: there it keeps the keyboard of letters.
    postal_code: { autoComplete: 'postal-code', ...CODE },
    state: { autoComplete: 'address-level1' },
    country: { autoComplete: 'country-name' },
  },
  creditcard: {
    number: { autoComplete: 'cc-number', inputMode: 'numeric' },
    expiry: { autoComplete: 'cc-exp', inputMode: 'numeric' },
    cvc: { autoComplete: 'cc-csc', inputMode: 'numeric' },
    name: { autoComplete: 'cc-name' },
  },
  legal_document: { document_number: { autoComplete: 'off', ...CODE } },
  bank: {
    swift: { autoComplete: 'on', ...CODE },
    account_number: { autoComplete: 'on', ...CODE },
    routing_number: { autoComplete: 'on', inputMode: 'numeric' },
    account_holder: { autoComplete: 'name' },
  },
};

/**
 * @param lineage the type at the end, those above it before; @param member of a composite type;
 * @param country of an address
 */
export function keyboardOf(lineage: readonly string[], member?: string, country = ''): Keyboard {
  if (member === 'postal_code' && hasDigitCodes(country))
    return { autoComplete: 'postal-code', inputMode: 'numeric' };
  for (const type of lineage.toReversed()) {
    const found = member === undefined ? TYPES[type] : MEMBERS[type]?.[member];
    if (found !== undefined) return found;
  }
  return BY_LABEL;
}

/** The standard has no name for it: the browser may know it by its label. */
const BY_LABEL: Keyboard = { autoComplete: 'on' };

/** Whether a telephone number says in no way of which country it is. */
export function lacksCountry(phone: string): boolean {
  return /\d{3}/.test(phone) && !/^\s*(\+|00)/.test(phone);
}
