import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { formatUrn, type Urn } from '../urn/urn.ts';

/** Personal, service, or the one that the first start makes. */
export type TokenKind = 'personal' | 'service' | 'bootstrap';

const kindLetters: Readonly<Record<TokenKind, string>> = { personal: 'p', service: 's', bootstrap: 'b' };
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretDigits = 43;
const checksumDigits = 6;

/**
 * The shape of a token, for secret scanners: `ptl` and a kind letter, an underscore, 43 base62 digits (256 random bits)
 * and 6 base62 digits of CRC-32 over what stands before them (reliability section 6.2).
 */
export const tokenPattern = /^ptl[psb]_[0-9A-Za-z]{49}$/;

/** Makes a new secret. It is shown once and never stored; only its hash is. */
export function newTokenText(kind: TokenKind): string {
  const head = `ptl${kindLetters[kind]}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretDigits)}`;
  return head + base62(BigInt(crc32(head)), checksumDigits);
}

/** False for a text in our shape that cannot be a token of ours: mistyped or made up. Any other text is not ruled out. */
export function mayBeToken(text: string): boolean {
  if (!text.startsWith('ptl') || text[4] !== '_') return true;
  if (!tokenPattern.test(text)) return false;
  const head = text.slice(0, -checksumDigits);
  return base62(BigInt(crc32(head)), checksumDigits) === text.slice(-checksumDigits);
}

/** The token's id: SHA-256 of the whole text, in hexadecimal. 256 random bits need no slow hash. */
export function tokenIdOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function tokenUrnOf(tokenId: string): Urn {
  return formatUrn('dataHubAccessToken', [tokenId]);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = (digits[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}
