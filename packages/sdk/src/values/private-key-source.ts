/** The downloaded PEM with its passphrase, the PEM's path, or a PKCS#8 DER. */
export type PrivateKeySource =
  | { pem: string; passphrase?: string | undefined }
  | { file: string; passphrase?: string | undefined }
  | { pkcs8: Uint8Array };
