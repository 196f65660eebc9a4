/** Who is signed in. */
export const SESSION = '/api/person/session';
/** Opens the request in the address of the consent page. */
export const OPEN_CONSENT = '/api/consent/requests';
/** A page of the person, as the platform serves it. */
export const PERSON_PAGE = '/me';
