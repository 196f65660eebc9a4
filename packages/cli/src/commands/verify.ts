import type { Command } from 'commander';

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('tell what was signed in a sealed PDF, by whom and when, and whether it is unchanged')
    .argument('<file>', 'the PDF')
    .option('--root <file>', 'certificates (PEM) under which seals are trusted; a platform shows its own')
    .option(
      '--signer <name>',
      'trust the seals of this certificate alone: its SHA-256 or its name; may be repeated',
      (name: string, others: string[] = []) => [...others, name],
    )
    .option(
      '--platform <file>',
      'trust the seals of one platform alone: what its GET /api/seal/certificates answered, instead of --root',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The file is read here and sent nowhere; no server is asked. Exit codes: 0 sealed and unchanged, 3 unchanged but under none of the roots
(or none were given), 1 changed, extended or not signed.

Examples:
  $ symbolon verify contract.pdf
  $ curl -s https://symbolon.example/api/seal/certificates > platform.json
  $ symbolon verify contract.pdf --platform platform.json
  $ curl -s https://symbolon.example/api/seal/certificates | jq -r '.roots[].pem' > roots.pem
  $ symbolon verify contract.pdf --root roots.pem --signer 'Acme seal'
  $ symbolon verify contract.pdf --root roots.pem --json`,
    )
    .action(async (file: string, options) => {
      const { verifyFile } = await import('../seal/verify-file.ts');
      await verifyFile(file, options);
    });
}
