/**
 * Asks a PostgreSQL for its version and for the rights the platform needs: to sign in and to make tables.
 *
 * @throws the driver's error when it cannot be reached or refuses the sign-in
 */
export async function pingPostgres(databaseUrl: string): Promise<{ version: string; mayCreate: boolean }> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('server_version') as version, has_schema_privilege(current_schema(), 'create') as may_create",
    );
    return { version: rows[0].version, mayCreate: rows[0].may_create === true };
  } finally {
    await client.end().catch(() => undefined);
  }
}
