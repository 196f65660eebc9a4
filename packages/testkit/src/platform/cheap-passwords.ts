import { passwordCost } from '../../../server/src/access/passwords.ts';

/*
 * Hashing passwords at the cost of production takes a third of the time of a test that registers people. Whatever loads this
 * module hashes at the least cost that there is; production never loads it (cheap-passwords.test.ts).
 */
Object.assign(passwordCost, { memoryCost: 8, timeCost: 1 });
