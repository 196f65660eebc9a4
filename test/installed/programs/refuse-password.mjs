// Loads the lists of common passwords, as programs that set a password do, and prints why one is refused.
import { fingerprintWords } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';

const person = { baseUrl: 'http://127.0.0.1:9', email: 'ada@example.org', displayName: 'Ada' };
const refusal = await PersonClient.register({ ...person, password: 'iloveyou123' }).catch((error) => error);
console.log(
  refusal.errorKey,
  refusal.details.reason,
  (await fingerprintWords('0'.repeat(64))).split(' ').length,
);
