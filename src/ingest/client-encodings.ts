/**
 * The text of a GenericAspect's value. Java clients send one character per UTF-8 byte: when every character is at most
 * U+00FF, some are beyond ASCII, and as bytes they are valid UTF-8, they are taken as bytes; otherwise as they are
 * (wire 2.4).
 */
export function decodeByteText(text: string): string {
  let isBeyondAscii = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0xff) return text;
    if (code >= 0x80) isBeyondAscii = true;
  }
  if (!isBeyondAscii) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undoes escapes that were doubled on the way, `\u00fc` for `ü`: URNs hold no backslashes otherwise (wire 3.1). */
export function decodeUrnEscapes(urn: string): string {
  if (!urn.includes('\\u')) return urn;
  return urn.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
