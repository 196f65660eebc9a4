import type { SealCertificateList } from '@symbolon/protocol';

/** By what verifiers recognise seals. */
export interface PublishedSeals {
  published(): Promise<SealCertificateList>;
}

/** Decides whose certificates are published. */
export type SealRouter = (own: PublishedSeals) => PublishedSeals;

/** With one region, its own. */
export const localSeals: SealRouter = (own) => own;
