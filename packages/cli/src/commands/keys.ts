import type { Command } from 'commander';

/** Long because it declares its commands one after the other; the work is in ../keys. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one command after the other
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('make, open, convert and compare service keys');
  keys.addHelpText(
    'after',
    `
Examples:
  $ symbolon keys generate --out keys
  $ symbolon keys fingerprint keys/public-key.pem
  $ symbolon keys open keys/service-key.pem --passphrase-file keys/passphrase.txt
  $ symbolon keys pem encrypted_private_key.json --out service-key.pem`,
  );

  keys
    .command('generate')
    .description('make a service key by the recipe: PEM, public key, request body, passphrase')
    .option('--out <folder>', 'write the files there, readable by you only; without it all is printed once')
    .option('--name <name>', 'name of the service in the request body', 'My service')
    .option('--admin-email <address>', 'admin_email in the request body', 'admin@example.com')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Nothing is sent anywhere. The passphrase opens the key: whoever has both reads every value, and without it nobody does.

Examples:
  $ symbolon keys generate --out keys --name Shop --admin-email ops@shop.example
  $ curl -X POST $URL/api/services -H "Authorization: Bearer $TOKEN" \\
      -H "Content-Type: application/json" -d @keys/create-service.json`,
    )
    .action(async (options) => {
      const { generateKey } = await import('../keys/generate-key.ts');
      await generateKey(options);
    });

  keys
    .command('fingerprint')
    .description('print the SHA-256 fingerprint of a public key, or the four words that people compare')
    .argument('<file>', 'public key (PEM, base64 or DER) or private key PEM; - reads stdin')
    .option('--passphrase-file <file>', 'opens an encrypted private key')
    .option('--words', 'print the four words instead of 64 digits')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  $ symbolon keys fingerprint public-key.pem
  $ symbolon keys fingerprint public-key.pem --words
  $ curl -s $URL/api/keys/ACME/SHOP -H "Authorization: Bearer $TOKEN" | jq -r .public_key | symbolon keys fingerprint -`,
    )
    .action(async (file: string, options) => {
      const { printFingerprint } = await import('../keys/print-fingerprint.ts');
      await printFingerprint(file, options);
    });

  keys
    .command('link')
    .description('print the link for a QR code to a service, which carries the fingerprint of its key')
    .argument('<file>', 'public key (PEM, base64 or DER) or private key PEM of the service; - reads stdin')
    .requiredOption('--url <url>', 'front door of the platform')
    .requiredOption('--company <code>', 'share code of the company')
    .requiredOption('--service <code>', 'share code of the service')
    .option('--passphrase-file <file>', 'opens an encrypted private key')
    .addHelpText(
      'after',
      `
Take your own file, not a key that the platform shows: people's devices compare the platform's key with the link.

Examples:
  $ symbolon keys link keys/public-key.pem --url https://symbolon.example --company ACME --service SHOP`,
    )
    .action(async (file: string, options) => {
      const { printLink } = await import('../keys/print-link.ts');
      await printLink(file, options);
    });

  keys
    .command('open')
    .description('check that a passphrase opens a private key')
    .argument('<pem>', 'encrypted private key PEM; - reads stdin')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase; else SYMBOLON_PASSPHRASE, else it is asked',
    )
    .option('--out <file>', 'write the private key decrypted, as a PKCS#8 PEM readable by you only')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  $ symbolon keys open service-key.pem
  $ symbolon keys open service-key.pem --passphrase-file passphrase.txt --out decrypted.pem`,
    )
    .action(async (file: string, options) => {
      const { openKey } = await import('../keys/open-key.ts');
      await openKey(file, options);
    });

  keys
    .command('pem')
    .description(
      'turn an encrypted_private_key (JSON) into a PEM that OpenSSL opens, under the same passphrase',
    )
    .argument('<json>', 'file with {iter, salt, iv, data}, or the answer of …/private-key; - reads stdin')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase; else SYMBOLON_PASSPHRASE, else it is asked',
    )
    .option('--out <file>', 'write the PEM there instead of printing it')
    .addHelpText(
      'after',
      `
Examples:
  $ symbolon keys pem encrypted_private_key.json --out service-key.pem
  $ openssl pkey -in service-key.pem -pubout`,
    )
    .action(async (file: string, options) => {
      const { convertToPem } = await import('../keys/convert-to-pem.ts');
      await convertToPem(file, options);
    });
}
