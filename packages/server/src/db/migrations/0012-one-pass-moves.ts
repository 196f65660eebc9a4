import type { Kysely } from 'kysely';

/** Moves copy in one pass, so the source no longer keeps the hashes of chunks. */
export function onePassMoves() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.dropTable('company_move_chunks').execute();
    },
  };
}
