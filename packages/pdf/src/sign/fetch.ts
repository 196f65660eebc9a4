/** Asks a timestamp authority or an authority for revocation data. @throws when there is no good answer in time */
export type Ask = (
  url: string,
  question?: { readonly body: Uint8Array; readonly type: string },
) => Promise<Uint8Array>;

/** Revocation lists of large authorities have some megabytes. */
const LARGEST_ANSWER = 8 << 20;

/** Asks by HTTP. The addresses are the operator's, or stand in the certificate that the operator bought. */
export function askByHttp(timeoutMs = 5000): Ask {
  return async (url, question) => {
    const response = await fetch(url, {
      ...(question && {
        method: 'POST',
        body: Uint8Array.from(question.body),
        headers: { 'content-type': question.type },
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || !response.body) throw new Error(`${url} answered with status ${response.status}`);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body) {
      length += part.length;
      if (length > LARGEST_ANSWER) throw new Error(`${url} answered with more than ${LARGEST_ANSWER} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
}
